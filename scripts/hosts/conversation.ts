import type { ModelRequestSeen } from '@nexus/testing';
import { type ResultSeen, type ToolSeen, type View, viewOf } from './wire-view.ts';

/** What the scripted model calls, by the end of the tool's name, since each host has a beginning of its own. */
export interface Step {
  readonly key: string;
  readonly tools: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
}

export interface StepTaken {
  readonly step: Step;
  /** As the step was due: undefined where no tool of this name was in the request. */
  readonly tool: string | undefined;
  readonly result?: ResultSeen;
}

/** One prompt's way through a host, whose model calls one tool after the other and then is done. */
export interface Conversation {
  answer(seen: ModelRequestSeen): Reply;
  /** By the steps' keys, as far as it came. */
  readonly taken: ReadonlyMap<string, StepTaken>;
  /** Of the first request with Nexus's tools. */
  readonly first: View | undefined;
  readonly isDone: boolean;
}

type Reply = { readonly text: string } | { readonly tools: readonly ToolCall[] };
interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const DONE = 'All done.';

/** Of hosts that show their model a server's tools only once it has asked for them by name. */
const FINDER = 'tool_search';
const OURS = ['find_tools', 'open_toolbox', 'use_tool', 'read_file'].map((name) => `mcp__nexus__${name}`);

export function converse(steps: readonly Step[]): Conversation {
  const taken = new Map<string, StepTaken>();
  /** Those that were called, in order: as many results have come as the host sends. */
  const called: Step[] = [];
  let first: View | undefined;
  let isDone = false;
  let due = 0;
  let found = 0;

  function next(view: View): Reply {
    for (; due < steps.length; due += 1) {
      const step = steps[due] as Step;
      const tool = view.tools.find((each) => step.tools.some((end) => wholeName(each).endsWith(end)));
      taken.set(step.key, { step, tool: tool?.name });
      if (!tool) continue;
      called.push(step);
      due += 1;
      return { tools: [{ ...tool, input: step.input }] };
    }
    isDone = true;
    return { text: DONE };
  }

  return {
    taken,
    get first() {
      return first;
    },
    get isDone() {
      return isDone;
    },
    answer(seen) {
      const view = viewOf(seen);
      if (!view.tools.some(({ name }) => name.endsWith('find_tools'))) {
        const finder = view.tools.find(({ name }) => name === FINDER);
        // Without one it is what a host asks beside, for a title, say.
        if (!finder || found > 0) return { text: DONE };
        found += 1;
        return { tools: [{ name: FINDER, input: { query: `select:${OURS.join(',')}` } }] };
      }
      first ??= view;
      const at = view.results.length - 1 - found;
      const step = called[at];
      const result = view.results[at + found];
      if (step && result) taken.set(step.key, { ...(taken.get(step.key) as StepTaken), result });
      return next(view);
    },
  };
}

/** As it would be called where its server's name is a part of it. */
function wholeName({ name, namespace }: ToolSeen): string {
  return namespace === undefined ? name : `${namespace.replace(/_+$/, '')}__${name}`;
}
