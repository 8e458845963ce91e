import {
  defineRun,
  expertTurn,
  type GraphNode,
  type GraphState,
  type GraphVisit,
  isToolError,
  vote,
} from '@nexus/plugin-sdk';
import { failureOfTask } from '../asking/failure-of-task.ts';
import { proposalOf } from '../asking/proposal.ts';
import type { StageReport } from './pipeline-output.ts';
import type { ExpertStage, Stage } from './stages.ts';

export interface StagesInput {
  readonly task: string;
  readonly stages: readonly Stage[];
  readonly votingStrategy?: string;
  readonly quickMode: boolean;
}

/** The stages of a pipeline as a graph of expert turns and votes. */
export const stagesRun = defineRun({
  name: 'workflows.stages',
  version: 1,
  graph(input: StagesInput) {
    return {
      nodes: Object.fromEntries(input.stages.map((stage) => [stage.id, nodeOf(stage, input)])),
      result: ({ outputs }) => input.stages.map(({ id }) => outputs[id] as StageReport),
    };
  },
});

function nodeOf(stage: Stage, input: StagesInput): GraphNode {
  return { title: stage.title, needs: stage.needs, visit: (visit) => doStage(stage, visit, input) };
}

/** A stage as reports name it. */
export function about({ id, title, does }: Stage): Pick<StageReport, 'id' | 'title' | 'kind' | 'by'> {
  return { id, title, kind: does.kind, by: does.kind === 'expert' ? does.role : 'voters' };
}

/** Whether what needs a stage can go on from it. */
const GOES_ON: readonly StageReport['status'][] = ['done', 'stopped', 'approved'];

async function doStage(stage: Stage, visit: GraphVisit, input: StagesInput): Promise<StageReport> {
  const before = stage.needs.map((need) => visit.state.outputs[need] as StageReport);
  const missing = before.filter(({ status }) => !GOES_ON.includes(status)).map(({ title }) => title);
  if (missing.length > 0) {
    return {
      ...about(stage),
      status: 'left_out',
      output: `Left out, since this did not come to a good end: ${missing.join(', ')}.`,
    };
  }
  if (stage.does.kind === 'vote') return { ...about(stage), ...(await ballot(before, visit, input)) };
  return { ...about(stage), ...(await turn(stage.does, stage, { visit, input })) };
}

async function turn(
  { role, task }: ExpertStage,
  stage: Stage,
  { visit, input }: { readonly visit: GraphVisit; readonly input: StagesInput },
): Promise<Pick<StageReport, 'status' | 'output' | 'model'>> {
  const conditions = stage.needs.flatMap(
    (need) => (visit.state.outputs[need] as StageReport).conditions ?? [],
  );
  const earlier = readBy(stage, visit.state, input).map(({ by, title, output }) => ({
    from: `${by}: ${title}`,
    text: output,
  }));
  const worked = await visit.run
    .child(
      'turn',
      expertTurn,
      {
        role,
        assignment: {
          task,
          context: {
            'the task': input.task,
            ...(conditions.length === 0
              ? {}
              : { 'conditions under which the plan was approved': conditions.map(({ text }) => text) }),
          },
          earlier,
        },
      },
      { title: stage.title },
    )
    .catch((error: unknown) => failureOfTask(error));
  if (isToolError(worked)) return { status: 'failed', output: worked.message };
  const { output, stopped, model } = worked;
  if (stopped === undefined) return { status: 'done', output, model };
  return { status: 'stopped', output: `${output}\n\n(It ${stopped}.)`.trim(), model };
}

async function ballot(
  before: readonly StageReport[],
  { run }: GraphVisit,
  { task, votingStrategy: strategy, quickMode }: StagesInput,
): Promise<Pick<StageReport, 'status' | 'output' | 'conditions'>> {
  const plan = before.map(({ output }) => output).join('\n\n');
  const { decision, summary, conditions } = await run.child(
    'vote',
    vote,
    {
      proposal: proposalOf(task, plan),
      isBeforeWork: true,
      quickMode,
      ...(strategy === undefined ? {} : { strategy }),
    },
    { title: 'votes' },
  );
  return { status: decision, output: summary, ...(conditions.length > 0 ? { conditions } : {}) };
}

/** What a stage needs, and of a vote only that it was held. */
function readBy({ needs }: Stage, { outputs }: GraphState, { stages }: StagesInput): StageReport[] {
  const isVote = (id: string) => stages.find((stage) => stage.id === id)?.does.kind === 'vote';
  return needs.filter((need) => !isVote(need)).map((need) => outputs[need] as StageReport);
}
