import type { JobQueue } from '@nexus/core';
import { type Runs, ToolError } from '@nexus/plugin-sdk';
import { machine } from './ground.ts';
import { howToWait } from './jobs/how-to-wait.ts';
import { untilItAnswers } from './record/patience.ts';
import type { CarryAll, CarryOnById } from './service/carry-on.ts';
import type { EngineOptions } from './service/engine-options.ts';
import type { FailedRuns, FailedRunsQuery } from './service/failed-runs.ts';
import type { OpenEngine } from './service/runs-service.ts';
import type { KnownKind } from './worker/kinds.ts';

export type { EngineOptions };

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
  readonly carryOn: CarryOnById;
  readonly carryAll: CarryAll;
  /**
   * The run that an unambiguous beginning of an id names, for the server's own user.
   * @throws {ToolError} NEXUS_NOT_FOUND, NEXUS_CONFLICT
   */
  idOf(written: string): Promise<string>;
  /** Runs of whichever user that came to nothing, to be run again. */
  failed(query: FailedRunsQuery): Promise<FailedRuns>;
  /** The tables, and what this process does with them. */
  open(): Promise<OpenEngine>;
  /** Ends what runs here, and leaves it to the next process. */
  stop(withinMs: number): Promise<void>;
}

let service: Promise<typeof import('./service/runs-service.ts')> | undefined;

/** What runs are made with: loaded once, by whichever engine of the process needs it first. */
export function loadService() {
  service ??= import('./service/runs-service.ts').catch((error: unknown) => {
    service = undefined;
    throw error;
  });
  return service;
}

export function createEngine(options: EngineOptions): Engine {
  const known = new Map<string, KnownKind>();
  let opening: Promise<OpenEngine> | undefined;
  let isOpen = false;
  let isStopped = false;

  function define(each: KnownKind): void {
    const { name, version } = each;
    const key = `${name} ${version}`;
    if (known.has(key)) throw new Error(`two kinds of run are called ${name} in version ${version}`);
    known.set(key, each);
  }

  async function open(): Promise<OpenEngine> {
    if (isStopped) throw new ToolError('NEXUS_SHUTTING_DOWN', 'The server is stopping and starts no run.');
    opening ??= loadService()
      .then(({ openEngine }) => openEngine(options, [...known.values()]))
      .then((engine) => {
        isOpen = true;
        return engine;
      })
      .catch((error: unknown) => {
        opening = undefined; // the next one tries again: the fault may be mended by then
        throw error;
      });
    return opening;
  }

  /** No run was ever begun here. To open the record would make its tables, and wait for who writes. */
  async function isBlank(): Promise<boolean> {
    if (isOpen || isStopped) return false;
    const { migrations } = await import('./record/migrations.ts');
    return (await options.store.openToRead('runs', migrations)) === undefined;
  }

  const runs = async () => (await open()).runs;
  const jobs = async () => (await open()).jobs;
  return {
    runs: {
      knows: ({ name, version }) => known.has(`${name} ${version}`),
      choices: ({ name, version }) => known.get(`${name} ${version}`)?.choices ?? {},
      start: async (...start) => (await runs()).start(...start),
      startedUnder: async (...under) => (await runs()).startedUnder(...under),
      takeUp: async (...up) => (await runs()).takeUp(...up),
      wait: async (...wait) => (await runs()).wait(...wait),
      get: async (...get) => (await runs()).get(...get),
      outputOf: async (...output) => (await runs()).outputOf(...output),
      definitionOf: async (...definition) => (await runs()).definitionOf(...definition),
      list: async (query) => ((await isBlank()) ? { runs: [], total: 0 } : (await runs()).list(query)),
      events: async (...events) => (await runs()).events(...events),
      cancel: async (...cancel) => (await runs()).cancel(...cancel),
      answer: async (...answer) => (await runs()).answer(...answer),
      resume: async (...resume) => (await runs()).resume(...resume),
      planRerun: async (...plan) => (await runs()).planRerun(...plan),
      rerun: async (...rerun) => (await runs()).rerun(...rerun),
    },
    jobs: {
      howToWait,
      start: async (job) => (await jobs()).start(job),
      outcome: async (...outcome) => (await jobs()).outcome(...outcome),
      wait: async (...wait) => (await jobs()).wait(...wait),
      list: async (query) => ((await isBlank()) ? { jobs: [], total: 0 } : (await jobs()).list(query)),
      page: async (session, cursor) =>
        cursor === undefined && (await isBlank()) ? { jobs: [] } : (await jobs()).page(session, cursor),
      cancel: async (...cancel) => (await jobs()).cancel(...cancel),
    },
    define,
    open,
    async idOf(written) {
      const { runByPrefix } = await import('./service/run-by-prefix.ts');
      return runByPrefix((await open()).on, written);
    },
    async failed(query) {
      const { failedRuns } = await import('./service/failed-runs.ts');
      const { on, worker } = await open();
      return failedRuns(on, query, worker.isThere);
    },
    async adopt() {
      const { ground = machine, shutdown } = options;
      // A server that starts while the store is away takes over what is on record once it is back.
      const patience = { signal: shutdown, forMs: Number.POSITIVE_INFINITY };
      const engine = await untilItAnswers({ ground })(open, patience).catch((error: unknown) => {
        if (!shutdown.aborted) throw error;
      });
      engine?.worker.adopt();
    },
    carryOn: async (...carry) => (await open()).carryOn(...carry),
    async carryAll(how) {
      if (!opening) return [];
      const engine = await open();
      return engine.carryAll(how);
    },
    async stop(withinMs) {
      isStopped = true;
      const engine = await opening?.catch(() => undefined);
      await engine?.worker.stop(withinMs);
    },
  };
}
