import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnyRunKind,
  defineRun,
  type Log,
  type Run,
  type RunContext,
  type Runs,
  type ToolCaller,
} from '@nexus/plugin-sdk';
import { createStore, type OpenStore, type StoreLocation } from '@nexus/store';
import { inject } from 'vitest';
import { createEngine, type Engine, type EngineOptions } from '../src/index.ts';
import { define } from './define.ts';

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A project's state: on disk, or a project of its own on the shared database. */
export interface Place extends AsyncDisposable {
  readonly location: StoreLocation;
  /** Lets the database's clock run ahead. */
  ahead(ms: number): void;
}

let nextProject = 1;

/** SQLite always; Postgres where it is installed. */
export const databases: readonly { name: string; place(): Place }[] = [
  { name: 'SQLite', place: () => newPlace(undefined) },
  ...(inject('databaseUrl') === ''
    ? []
    : [{ name: 'Postgres', place: () => newPlace(inject('databaseUrl')) }]),
];

/**
 * SQLite in every check, Postgres in the slow step: for what stands above the record and the workers, whose statements
 * every check makes on both. Without Postgres it is SQLite in both.
 */
export const databasesByTurns = databases.filter(
  ({ name }) => name === inject('databaseByTurns') || databases.length === 1,
);

export function newPlace(databaseUrl: string | undefined): Place {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-engine-'));
  let aheadMs = 0;
  return {
    location: {
      projectId: `engine-${process.pid}-${Date.now()}-${nextProject++}`,
      dataDir,
      databaseUrl,
      testClock: () => Date.now() + aheadMs,
    },
    ahead(ms) {
      aheadMs += ms;
    },
    async [Symbol.asyncDispose]() {
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** One process's engine. */
export interface EngineUnderTest extends AsyncDisposable {
  readonly engine: Engine;
  readonly runs: Runs;
  readonly store: OpenStore;
  readonly shutdown: AbortSignal;
  /** Says that the process ends, as a server does before it stops. */
  end(): void;
  /** Leaves its runs as a killed process does. */
  die(): Promise<void>;
}

const noTools: ToolCaller = {
  list: () => [],
  find: () => undefined,
  check: async () => [],
  async call() {
    throw new Error('no tools here');
  },
};

export function startEngine(
  place: Place,
  kinds: readonly AnyRunKind[],
  options: Partial<EngineOptions> = {},
): EngineUnderTest {
  const store = createStore(place.location);
  const shutdown = new AbortController();
  const engine = createEngine({
    store,
    log: quiet,
    shutdown: shutdown.signal,
    tools: () => noTools,
    rerun: () => Promise.reject(new Error('nothing is left to run again')),
    onUpdated() {},
    ...options,
  });
  for (const kind of kinds) define(engine, kind);
  let isGone = false;
  return {
    engine,
    shutdown: shutdown.signal,
    end: () => shutdown.abort(),
    runs: engine.runs,
    store,
    async die() {
      isGone = true;
      const { on, worker } = await engine.open();
      // As the record has it of a process that was killed: its runs are those of nobody who is there.
      const [owner, gone] = [await worker.join(), crypto.randomUUID()];
      await on.db.transaction().execute(async (trx) => {
        await trx.updateTable('runs_workers').set({ id: gone, seen_at: 1 }).where('id', '=', owner).execute();
        await trx
          .updateTable('runs_runs')
          .set({ owner: gone })
          .where('owner', '=', owner)
          .where('status', '=', 'running')
          .execute();
        // What it is refused from here on it takes for no outcome, as of a server that stops: one that was killed writes
        // none. Not after the commit: it would find its own runs without an owner, and take them.
        shutdown.abort();
      });
      await engine.stop(100);
      await store.close();
    },
    async [Symbol.asyncDispose]() {
      if (isGone) return;
      shutdown.abort();
      await engine.stop(2_000);
      await store.close();
    },
  };
}

const { signal } = new AbortController();

/** The run once it has ended or paused. */
export function ended(runs: Runs, run: Run | string, waitMs?: number): Promise<Run> {
  return runs.wait(typeof run === 'string' ? run : run.id, {
    signal,
    toldTo: {},
    ...(waitMs === undefined ? {} : { waitMs }),
  });
}

export function kindOf<Output>(
  run: (input: never, context: RunContext) => Promise<Output>,
  { name = 'test.run', version = 1 } = {},
): AnyRunKind {
  return defineRun({ name, version, run: run as (input: unknown, context: RunContext) => Promise<Output> });
}

/** What happened, to be counted, and gates that a test opens. */
export function counterOf() {
  const counts = new Map<string, number>();
  return {
    add(name: string): number {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count;
    },
    get all() {
      return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}
