import type { Engine, FailedRun, FailedRunsQuery, RunAgain } from '@nexus/engine';
import type { Budget, RerunPlan, RunStatus } from '@nexus/plugin-sdk';
import { STEPS_A_PAGE } from '../self-plugin/resources/run-page.ts';
import type { GivenAnswer } from './answer-run.ts';
import { onceIn, unknownIn } from './once-in.ts';

/** What is to be done again of a run. */
export interface RerunRequest {
  readonly id: string;
  readonly from?: string;
  /** Where it stood, in the place of it: whoever comes a second time finds the run in which it went on. */
  readonly goesOn?: boolean;
  readonly input?: unknown;
}

export interface ReplayableRun
  extends FailedRun,
    Pick<RerunPlan, 'cost' | 'costAtMost' | 'unknownCalls' | 'toldFirst'> {
  /** Steps in it, and below it, that are told first, and what must not be done twice and is done again. */
  readonly unknown?: readonly string[];
  readonly doneAgain?: readonly string[];
}

/** Runs that came to nothing, each with what it would cost again. */
export interface Replayable {
  readonly runs: readonly ReplayableRun[];
  readonly total: number;
  /** Those that were run again since, the last to end. */
  readonly again: readonly RunAgain[];
  readonly againTotal: number;
}

/** What `nexus runs` and `nexus votes` ask of the server that runs them; ids may be unambiguous beginnings. */
export type RunsRequest =
  | { readonly what: 'list'; readonly limit: number; readonly status?: RunStatus }
  | ({ readonly what: 'failed' } & FailedRunsQuery)
  | { readonly what: 'cancel'; readonly id: string }
  /** A page of it: the first, or the one after another. */
  | { readonly what: 'show'; readonly id: string; readonly after?: number }
  /** A person was shown what these came to. */
  | { readonly what: 'told'; readonly ids: readonly string[] }
  | ({ readonly what: 'answer'; readonly id: string } & GivenAnswer)
  | { readonly what: 'resume'; readonly id: string; readonly cap?: NonNullable<Budget['cap']> }
  | ({ readonly what: 'plan-rerun' | 'rerun' } & RerunRequest);

/** @throws {ToolError} as `host.runs` does */
export async function answerRuns(
  engine: Pick<Engine, 'runs' | 'idOf' | 'failed'>,
  request: RunsRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const { runs } = engine;
  switch (request.what) {
    case 'list': {
      const { limit, status } = request;
      return { ...(await runs.list({ limit, status })) };
    }
    case 'failed': {
      const { what: _, ...query } = request;
      return { ...(await replayable(engine, query)) };
    }
    case 'told':
      for (const id of request.ids) await runs.get(id, { toldTo: {} });
      return {};
    default:
      return { ...(await answerOf(engine, request, await engine.idOf(request.id))) };
  }
}

async function replayable(
  { runs, failed }: Pick<Engine, 'runs' | 'failed'>,
  query: FailedRunsQuery,
): Promise<Replayable> {
  const { runs: left, ...rest } = await failed(query);
  const planned: ReplayableRun[] = [];
  for (const run of left) {
    const plan = await runs.planRerun(run.id, { goesOn: true });
    const { cost, costAtMost, unknownCalls, toldFirst } = plan;
    const [unknown, doneAgain] = [unknownIn(plan), onceIn(plan)];
    planned.push({
      ...{ ...run, cost },
      ...(costAtMost === undefined ? {} : { costAtMost }),
      ...(unknownCalls === undefined ? {} : { unknownCalls }),
      ...(toldFirst === undefined ? {} : { toldFirst }),
      ...(unknown.length === 0 ? {} : { unknown }),
      ...(doneAgain.length === 0 ? {} : { doneAgain }),
    });
  }
  return { runs: planned, ...rest };
}

type OfOneRun = Extract<RunsRequest, { readonly id: string }>;

async function answerOf({ runs }: Pick<Engine, 'runs'>, request: OfOneRun, id: string): Promise<object> {
  switch (request.what) {
    case 'show':
      return runs.get(id, { page: { most: STEPS_A_PAGE, after: request.after } });
    case 'cancel':
      return runs.cancel(id);
    case 'resume':
      return runs.resume(id, request.cap ? { cap: request.cap } : {});
    case 'answer':
      return (await import('./answer-run.ts')).answerRun(runs, id, request);
    case 'plan-rerun':
      return runs.planRerun(id, request);
    case 'rerun':
      return request.goesOn ? runs.takeUp(id) : runs.rerun(id, request);
  }
}
