import type { AskedQuestion, RunKindName, Store } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import type { Ground } from '../ground.ts';
import { type Patience, untilItAnswers } from './patience.ts';
import type { RunSpans } from './run-spans.ts';
import type { RunRow, RunTables } from './tables.ts';

/**
 * The one door to the record. What goes through it waits while the store is away, and is made again once the
 * store answers: no run fails by what it stands on. So all of it may be made twice, for the answer to a write
 * can be lost with its connection, and must then come to the same:
 *
 * - `db` makes single statements: reads, and writes that set what they would set again.
 * - `write` is one transaction, the only place where one begins. What it makes has its id from before
 *   (`newRunId`); what is there under that id already is its own: `on conflict do nothing`, then look.
 * - `ask` is for what is asked of the store beside the tables.
 */
export interface RunDatabase {
  readonly db: Kysely<RunTables>;
  readonly store: Store;
  /** What the process itself stands on: its clock, timers and chance. */
  readonly ground: Ground;
  /** Where this process is. */
  readonly home: Home;
  /** Where its runs tell how they went; by default nowhere. */
  readonly spans?: RunSpans | undefined;
  /** Hears of each answer of a person that is on record. */
  onAnswered?: ((question: AskedQuestion) => void) | undefined;
  /** For how long the record has answered whenever it was asked, in milliseconds; `Infinity` where it always has. */
  readonly steadyMs: number;
  write<Result>(work: WriteWork<Result>): Promise<Result>;
  ask<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same door for one who waits for longer, or for less long. */
  waiting(patience: Patience): RunDatabase;
  /** The store is known from elsewhere to have been away until now. */
  interrupted(): void;
}

/** The machine of a process, what can be done only where it was begun, and what it has no plugin for. */
export interface Home {
  /** The same for all processes that share its data directory. */
  readonly machine: string;
  /** Whether what runs of a kind make lies on the machine that they were begun on. */
  isBound(kind: RunKindName): boolean;
  /** What this process is without and needs for a run, in words; undefined where it could go on with it. */
  lacks(run: RunOfPlugin): string | undefined;
}

/** What tells of which plugin a run is; of a job, whose title is its tool. */
export type RunOfPlugin = Pick<RunRow, 'kind' | 'version' | 'title'>;

/** @param isAgain whether it was made before, and may be on record though no answer came */
export type WriteWork<Result> = (trx: Kysely<RunTables>, isAgain: boolean) => Promise<Result>;

export interface DoorParts {
  readonly store: Store;
  readonly tables: Kysely<RunTables>;
  readonly ground: Ground;
  readonly home: Home;
  readonly spans?: RunSpans | undefined;
  readonly onAnswered?: RunDatabase['onAnswered'];
  /** From then on nobody waits who does not have to. */
  readonly shutdown?: AbortSignal | undefined;
}

export function openDoor({
  store,
  tables,
  ground,
  home,
  shutdown,
  spans,
  onAnswered,
}: DoorParts): RunDatabase {
  let awayAt = Number.NEGATIVE_INFINITY;
  const interrupted = () => {
    awayAt = ground.now();
  };
  const again = untilItAnswers({ ground, shutdown, onAway: interrupted });

  function waiting(patience: Patience): RunDatabase {
    return {
      db: statementsAgain(tables, (statement) => again(statement, patience)),
      store,
      ground,
      home,
      spans,
      onAnswered,
      get steadyMs() {
        return ground.now() - awayAt;
      },
      // All begin on the same object, so that whoever watches transactions sees each.
      write: (work) =>
        again((isAgain) => first.db.transaction().execute((trx) => work(trx, isAgain)), patience),
      ask: (work) => again(work, patience),
      waiting,
      interrupted,
    };
  }
  const first = waiting({});
  return first;
}

/** The same tables under an executor of their own. A transaction has another: it is made again as a whole. */
function statementsAgain(
  tables: Kysely<RunTables>,
  again: <Result>(statement: () => Promise<Result>) => Promise<Result>,
): Kysely<RunTables> {
  const db = tables.withoutPlugins();
  const executor = db.getExecutor();
  const once = executor.executeQuery.bind(executor);
  executor.executeQuery = (query) => again(() => once(query)) as never; // what a row is, its caller knows
  return db;
}
