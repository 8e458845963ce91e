import type { JobQueue, JobStart } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import type { JobInput } from '../src/jobs/job-run.ts';
import type { OpenEngine } from '../src/service/runs-service.ts';
import { type Place, startEngine } from './engine-under-test.ts';

/** One server's jobs. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly jobs: JobQueue;
  /** Calls that it made again. */
  readonly reruns: JobInput[];
  /** Goes on with what others left. */
  adopt(): Promise<void>;
  /** Makes a job another server's: one that is not there any more. */
  giveAway(jobId: string): Promise<void>;
  open(): Promise<OpenEngine>;
  /** Fires when it stops. */
  readonly shutdown: AbortSignal;
}

export function startServer(
  place: Place,
  rerun: () => Promise<ToolCallResult> = async () => result('again'),
): ServerUnderTest {
  const reruns: JobInput[] = [];
  const {
    engine,
    shutdown,
    [Symbol.asyncDispose]: stop,
  } = startEngine(place, [], {
    rerun(call) {
      reruns.push(call);
      return rerun();
    },
  });
  return {
    jobs: engine.jobs,
    reruns,
    adopt: engine.adopt,
    open: engine.open,
    shutdown,
    async giveAway(jobId) {
      const { on } = await engine.open();
      await on.db
        .updateTable('runs_runs')
        .set({ owner: crypto.randomUUID() })
        .where('id', '=', jobId)
        .execute();
    },
    [Symbol.asyncDispose]: stop,
  };
}

let nextTool = 1;

/** A job of a tool of its own that answers at once, unless it is told otherwise. */
export function work(start: Partial<JobStart> = {}): JobStart {
  return {
    tool: `tool_${process.pid}_${nextTool++}`,
    arguments: { a: 1, b: ['x'] },
    sessionId: 'session',
    mayRunTwice: false,
    run: async () => result('done'),
    ...start,
  };
}

/** Work that ends when the test says so, or its signal. */
export function heldWork(start: Partial<JobStart> = {}) {
  let end: (result: ToolCallResult) => void = () => {};
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<ToolCallResult>((resolve) => {
    end = resolve;
  });
  const job = work({
    run: ({ signal }) => {
      begin();
      return Promise.race([
        ended,
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]);
    },
    ...start,
  });
  return { job, begun, end: (text: string) => end(result(text)) };
}

export function result(text: string): ToolCallResult {
  return { content: [{ type: 'text', text }], structuredContent: { text } };
}
