import type { CarryOptions } from '@nexus/engine';
import type { RunDetail } from '@nexus/plugin-sdk';
import { ask } from '../client/ask.ts';
import { withOwnNexus } from '../client/with-own-nexus.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { answerRuns, type RunsRequest } from '../server/answer-runs.ts';
import { print, say, written } from '../terminal/output.ts';
import { carryHere, untilInterrupted } from './carry.ts';
import { wholeRun } from './whole-run.ts';

/**
 * Asks the project's running server, or the record itself where none runs.
 * @throws {Error} with the server's own words
 */
export async function askRuns<Answered>(request: RunsRequest, config: string | undefined): Promise<Answered> {
  const answered = await askServer<Answered>(request, config);
  if (answered) return answered;
  return withOwnNexus(await loadConfig({ config }), async ({ engine }) => {
    return (await answerRuns(engine, request)) as Answered;
  });
}

/** A run as it is shown: a job with the runs that its call has begun, which are all that it does. */
export interface ShownRun extends RunDetail {
  readonly begunRuns?: readonly RunDetail[];
}

/** As {@link askRun}, and of a job its runs too: who looks at it wants to know of those. */
export async function askShownRun(id: string, config: string | undefined): Promise<ShownRun> {
  const run = await askRun(id, config);
  const begunRuns: RunDetail[] = [];
  for (const each of run.begun ?? []) begunRuns.push(await askRun(each, config));
  return begunRuns.length === 0 ? run : { ...run, begunRuns };
}

/**
 * A run with all its steps, whose id may be an unambiguous beginning: page by page from the running server, so that
 * its hosts do not wait for it.
 * @throws {Error} with the server's own words
 */
export async function askRun(id: string, config: string | undefined): Promise<RunDetail> {
  const showing = (of: string, after?: number): RunsRequest => ({
    ...{ what: 'show', id: of },
    ...(after === undefined ? {} : { after }),
  });
  const first = await askServer<RunDetail>(showing(id), config);
  if (!first) {
    return withOwnNexus(await loadConfig({ config }), ({ engine }) =>
      // What `answerRuns` shows is one.
      wholeRun(
        async (of, after) => (await answerRuns(engine, showing(of, after))) as unknown as RunDetail,
        id,
      ),
    );
  }
  return wholeRun(async (of, after) => {
    if (of === id && after === undefined) return first;
    const page = await askServer<RunDetail>(showing(of, after), config);
    if (!page) throw new Error(`the server ended while run ${of} was read; ask again`);
    return page;
  }, id);
}

export interface Told {
  readonly config: string | undefined;
  /** Whether standard output is for JSON alone: what came of the runs is said on the other then. */
  readonly isJson: boolean;
  /** Told of each run that this process took to a good end. */
  onCompleted?(id: string): void;
}

/**
 * The same for what lets a run go on: where no server runs, this process goes on with it.
 * @param told is given the answer first. @returns the run's id
 * @returns the exit code
 * @throws {Error} with the server's own words
 */
export function askAndGoOn<Answered>(
  request: RunsRequest,
  how: Told,
  told: (answered: Answered) => string,
): Promise<number> {
  return askEachAndGoOn<Answered>([request], how, (settled) => {
    if (settled.status === 'rejected') throw settled.reason;
    return told(settled.value);
  });
}

/**
 * The same for many, all of which this process then goes on with at once.
 * @param told is given what came of each, in their order. @returns the run's id, where one goes on
 */
export async function askEachAndGoOn<Answered>(
  requests: readonly RunsRequest[],
  { config, isJson, onCompleted }: Told,
  told: (settled: PromiseSettledResult<Answered>) => string | undefined,
): Promise<number> {
  const left = [...requests];
  for (const request of requests) {
    const settled = await settle(askServer<Answered>(request, config));
    if (settled.status === 'fulfilled' && settled.value === undefined) break;
    told(settled as PromiseSettledResult<Answered>);
    left.shift();
  }
  if (left.length === 0) return 0;
  return untilInterrupted(async (signal) =>
    withOwnNexus(await loadConfig({ config }), async ({ engine }) => {
      const ids: string[] = [];
      for (const request of left) {
        const id = told(await settle(answerRuns(engine, request) as Promise<Answered>));
        if (id !== undefined) ids.push(id);
      }
      const over: string[] = [];
      const carry = async (id: string, how: CarryOptions) => {
        const carried = await engine.carryOn(id, how);
        if (carried.why === 'over' && carried.run.status === 'completed') onCompleted?.(carried.run.id);
        if (carried.why === 'over') over.push(carried.run.id);
        return carried;
      };
      const code = await carryHere((how) => Promise.all(ids.map((id) => carry(id, how))), {
        signal,
        of: ids.length === 1 ? ids[0] : undefined,
        say: (line) => void (isJson ? say(line) : print([line])),
      });
      // What came of it was said here, and to nobody else.
      if (over.length > 0 && (await written())) await answerRuns(engine, { what: 'told', ids: over });
      return code;
    }),
  );
}

async function settle<Value>(work: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const [settled] = await Promise.allSettled([work]);
  return settled;
}

async function askServer<Answered>(
  request: RunsRequest,
  config: string | undefined,
): Promise<Answered | undefined> {
  const answered = await ask('runs', config, { request: JSON.stringify(request) });
  if (typeof answered?.refused === 'string') throw new Error(answered.refused);
  return answered as Answered | undefined; // what `answerRuns` made there
}
