import { defineRun, type GraphNode, type GraphState, type RunContext } from '@nexus/plugin-sdk';
import { cutEnd } from '@nexus/primitives';
import { MAX_ITEMS, type StepFile } from '../definition/file-schema.ts';
import { needsOf } from '../definition/needs.ts';
import type { Scope } from '../expressions/evaluate.ts';
import { isTrue } from '../expressions/values.ts';
import { Work } from '../expressions/work.ts';
import type { WorkflowsState } from '../state.ts';
import { asksOf, doWork } from './do-work.ts';
import { filler, itemsOf } from './fill.ts';
import { heldAnew } from './held-inputs.ts';
import type { KeptDefinition, WorkflowInput } from './kept-definition.ts';
import { inTurn } from './turn.ts';
import { withItem } from './with-item.ts';

export interface WorkflowOutput {
  readonly steps: readonly StepDone[];
  readonly output: unknown;
}

export interface StepDone {
  readonly id: string;
  readonly status: 'completed' | 'skipped';
  /** Of one that was left out: its condition, which did not hold. */
  readonly onlyIf?: string;
  readonly output?: unknown;
}

/** The steps of a workflow, each as soon as what it needs has ended. */
export const workflowRun = defineRun({
  name: 'workflows.workflow',
  version: 1,
  anew: heldAnew,
  graph(
    given: WorkflowInput,
    { definition }: Pick<RunContext<WorkflowsState>, 'definition' | 'state' | 'host'>,
  ) {
    const { file } = definition as KeptDefinition<'workflow'>; // as run_workflow starts it
    const { steps } = file;
    const ids = steps.map(({ id }) => id);
    const answer = file.outputs && filler(file.outputs, 'outputs');
    const conditions = workOfTurn();
    return {
      nodes: Object.fromEntries(
        steps.map((step) => [step.id, nodeOf(step, { given, ids: new Set(ids), conditions })]),
      ),
      maxVisits: (MAX_ITEMS + 1) * steps.length,
      result: ({ outputs }: GraphState): WorkflowOutput => ({
        steps: steps.map(({ id, if: condition }) =>
          Object.hasOwn(outputs, id)
            ? { id, status: 'completed', output: outputs[id] }
            : { id, status: 'skipped', ...(condition !== undefined && { onlyIf: conditionText(condition) }) },
        ),
        output: answer ? answer(scopeOf(given, ids, outputs)) : outputs,
      }),
    };
  },
});

const MAX_CONDITION_CHARS = 100;

/** As the file has it, without the marks of an expression. */
function conditionText(condition: unknown): string {
  const text = String(condition)
    .trim()
    .replace(/^\$\{\{|\}\}$/g, '')
    .trim();
  return `\`${cutEnd(text, MAX_CONDITION_CHARS)}\``;
}

interface About {
  readonly given: WorkflowInput;
  readonly ids: ReadonlySet<string>;
  readonly conditions: () => Work;
}

function nodeOf(step: StepFile, { given, ids, conditions }: About): GraphNode {
  const needs = needsOf(step, ids);
  const scope = ({ outputs }: GraphState) => scopeOf(given, needs, outputs);
  const wanted = step.if === undefined ? undefined : filler(step.if, `if of ${step.id}`);
  const items = step.forEach === undefined ? undefined : filler(step.forEach, `forEach of ${step.id}`);
  const fill = filler(step.with, `with of ${step.id}`);
  return {
    title: step.title ?? step.id,
    needs,
    asks: asksOf(step),
    ...(step.concurrency === undefined ? {} : { concurrency: step.concurrency }),
    ...(wanted && { when: (state: GraphState) => isTrue(wanted(scope(state), conditions())) }),
    ...(items && {
      forEach: (state: GraphState) => itemsOf(items(scope(state), conditions()), `forEach of ${step.id}`),
    }),
    visit: async ({ run, state, item, index }) => {
      const inItem = index === undefined ? scope(state) : { ...scope(state), item, index };
      return doWork(run, {
        work: withItem(step, item, index),
        given: await inTurn((work) => fill(inItem, work)),
      });
    },
  };
}

/** What all conditions of a run may take that are judged in one go, as steps become ready together. */
function workOfTurn(): () => Work {
  let work: Work | undefined;
  return () => {
    if (!work) {
      work = new Work();
      setImmediate(() => {
        work = undefined;
      });
    }
    return work;
  };
}

/** What a step's expressions see: the inputs, and the steps that it needs. */
function scopeOf({ inputs }: WorkflowInput, needs: readonly string[], outputs: GraphState['outputs']): Scope {
  const steps = needs.map((id) => {
    const isDone = Object.hasOwn(outputs, id);
    return [id, { status: isDone ? 'completed' : 'skipped', output: isDone ? outputs[id] : null }] as const;
  });
  return { inputs, steps: Object.fromEntries(steps) };
}
