import type { JobQueue, JobRun } from '@nexus/core';
import {
  type Log,
  type Runs,
  type Store,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
} from '@nexus/plugin-sdk';
import type { CallingStep } from './execution/run-instance.ts';
import type { JobInput } from './jobs/job-run.ts';
import type { RunRow } from './record/tables.ts';
import type { OpenEngine } from './service/runs-service.ts';
import type { KnownKind } from './worker/kinds.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly log: Log;
  /** Fires when the server stops: before `stop`, and before its calls end by it. */
  readonly shutdown: AbortSignal;
  /** How long a run that only waits is kept in memory. */
  readonly parkAfterMs?: number;
  /** How long a run may take from one step on record to asking for the next. */
  readonly graceMs?: number;
  /** The tools of whoever a run is for. */
  tools(run: RunRow, at: CallingStep): ToolCaller;
  /** Makes a call again, of a job that another server left. */
  rerun(call: JobInput, run: JobRun): Promise<ToolCallResult>;
  /** A run reads differently now. */
  onUpdated(runId: string): void;
}

/** Durable runs of one process. Loads nothing and connects to nothing before the first. */
export interface Engine {
  readonly runs: Runs;
  readonly jobs: JobQueue;
  /**
   * Makes a kind known, before any run is started.
   * @throws {Error} for a kind whose name and version another has
   */
  define(kind: KnownKind): void;
  /** Goes on with what is on record, now and from then on. For a process that stays. */
  adopt(): Promise<void>;
  /** The tables, and what this process does with them. */
  open(): Promise<OpenEngine>;
  /** Ends what runs here, and leaves it to the next process. */
  stop(withinMs: number): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const known = new Map<string, KnownKind>();
  let opening: Promise<OpenEngine> | undefined;
  let isStopped = false;

  function define(each: KnownKind): void {
    const { name, version } = each;
    const key = `${name} ${version}`;
    if (known.has(key)) throw new Error(`two kinds of run are called ${name} in version ${version}`);
    known.set(key, each);
  }

  async function open(): Promise<OpenEngine> {
    if (isStopped) throw new ToolError('NEXUS_SHUTTING_DOWN', 'The server is stopping and starts no run.');
    opening ??= import('./service/runs-service.ts')
      .then((service) => service.openEngine(options, [...known.values()]))
      .catch((error: unknown) => {
        opening = undefined; // the next one tries again: the fault may be mended by then
        throw error;
      });
    return opening;
  }

  const runs = async () => (await open()).runs;
  const jobs = async () => (await open()).jobs;
  return {
    runs: {
      knows: ({ name, version }) => known.has(`${name} ${version}`),
      start: async (...start) => (await runs()).start(...start),
      wait: async (...wait) => (await runs()).wait(...wait),
      get: async (...get) => (await runs()).get(...get),
      list: async (query) => (await runs()).list(query),
      events: async (...events) => (await runs()).events(...events),
      cancel: async (...cancel) => (await runs()).cancel(...cancel),
      answer: async (...answer) => (await runs()).answer(...answer),
      resume: async (...resume) => (await runs()).resume(...resume),
      planRerun: async (...plan) => (await runs()).planRerun(...plan),
      rerun: async (...rerun) => (await runs()).rerun(...rerun),
    },
    jobs: {
      start: async (job) => (await jobs()).start(job),
      outcome: async (...outcome) => (await jobs()).outcome(...outcome),
      wait: async (...wait) => (await jobs()).wait(...wait),
      list: async (query) => (await jobs()).list(query),
      page: async (...page) => (await jobs()).page(...page),
      cancel: async (...cancel) => (await jobs()).cancel(...cancel),
    },
    define,
    open,
    async adopt() {
      (await open()).worker.adopt();
    },
    async stop(withinMs) {
      isStopped = true;
      const engine = await opening?.catch(() => undefined);
      await engine?.worker.stop(withinMs);
    },
  };
}
