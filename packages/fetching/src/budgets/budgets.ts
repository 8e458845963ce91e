import { randomUUID } from 'node:crypto';
import type { Store } from '@nexus/plugin-sdk';
import { type Kysely, sql } from 'kysely';
import { type BudgetRow, type BudgetTables, migrations } from './tables.ts';

/** What a source says is believed no further: a header is no reason to leave it alone for good. */
const LONGEST_PAUSE_MS = 3_600_000;
const LONGEST_RESET_MS = 24 * 3_600_000;

/** What a source lets everybody of this project do together. */
export interface Pace {
  /** At least so long between two requests. */
  readonly intervalMs: number;
  /** One request at a time; a request that nobody ended is over after this. */
  readonly oneForMs?: number;
}

/** What a source said of its own limits. */
export interface Said {
  readonly remaining?: number | undefined;
  /** From now. */
  readonly resetsInMs?: number | undefined;
  /** Nobody is to ask for so long. */
  readonly pauseMs?: number | undefined;
}

export type Turn =
  | { readonly isGiven: true; readonly id: string }
  | { readonly isGiven: false; readonly inMs: number };

export interface Left {
  readonly source: string;
  /** Requests; undefined where the source does not say. */
  readonly remaining: number | undefined;
  /** Milliseconds until there is a turn again; 0 now. */
  readonly inMs: number;
}

/** Turns of sources, kept in the store: machines that share one share its limits. */
export interface Budgets {
  /** Takes a turn, or says in how long there may be one. */
  take(source: string, pace: Pace): Promise<Turn>;
  /** The request of a turn is over. */
  done(source: string, turn: string, said: Said): Promise<void>;
  left(source: string): Promise<Left>;
}

export function createBudgets(store: Store): Budgets {
  let opened: Promise<Kysely<BudgetTables>> | undefined;
  const open = () => {
    opened ??= store.open<BudgetTables>('fetching', migrations);
    return opened;
  };
  const { now } = store;

  async function readLeft(db: Kysely<BudgetTables>, source: string): Promise<Left> {
    const row = await db
      .selectFrom('fetching_budgets')
      .selectAll()
      .select(sql<number>`${now}`.as('at'))
      .where('source', '=', source)
      .executeTakeFirst();
    return { source, remaining: remainingOf(row), inMs: row ? waitOf(row) : 0 };
  }

  return {
    async take(source, { intervalMs, oneForMs }) {
      const db = await open();
      // Whoever only waits writes nothing.
      const { inMs: waitMs } = await readLeft(db, source);
      if (waitMs > 0) return { isGiven: false, inMs: waitMs };
      const id = randomUUID();
      const set = {
        turn: id,
        next_at: sql<number>`${now} + ${intervalMs}`,
        busy_until: oneForMs === undefined ? sql<number>`0` : sql<number>`${now} + ${oneForMs}`,
      };
      // One statement: of those that ask at once, one gets the turn.
      const taken = await db
        .insertInto('fetching_budgets')
        .values({ source, ...set, remaining: null, resets_at: null })
        .onConflict((conflict) =>
          conflict
            .column('source')
            .doUpdateSet({
              ...set,
              remaining: sql<number | null>`case when fetching_budgets.resets_at > ${now}
                then fetching_budgets.remaining - 1 end`,
            })
            .where('fetching_budgets.next_at', '<=', now)
            .where('fetching_budgets.busy_until', '<=', now)
            .where(
              sql<boolean>`not coalesce(fetching_budgets.remaining <= 0 and fetching_budgets.resets_at > ${now}, false)`,
            ),
        )
        .returning('source')
        .executeTakeFirst();
      if (taken) return { isGiven: true, id };
      const { inMs } = await readLeft(db, source);
      return { isGiven: false, inMs: Math.max(1, inMs) };
    },
    async done(source, turn, { remaining, resetsInMs, pauseMs }) {
      const db = await open();
      const inAtMost = (ms: number, most: number) => sql<number>`${now} + ${Math.ceil(Math.min(ms, most))}`;
      await db
        .updateTable('fetching_budgets')
        .set({
          busy_until: sql<number>`case when turn = ${turn} then 0 else busy_until end`,
          ...(remaining === undefined ? {} : { remaining }),
          ...(resetsInMs === undefined ? {} : { resets_at: inAtMost(resetsInMs, LONGEST_RESET_MS) }),
          ...(pauseMs === undefined
            ? {}
            : {
                next_at: sql<number>`case when next_at > ${inAtMost(pauseMs, LONGEST_PAUSE_MS)}
                  then next_at else ${inAtMost(pauseMs, LONGEST_PAUSE_MS)} end`,
              }),
        })
        .where('source', '=', source)
        .execute();
    },
    async left(source) {
      return readLeft(await open(), source);
    },
  };
}

type Read = BudgetRow & { readonly at: number };

function remainingOf(row: Read | undefined): number | undefined {
  if (!row || row.remaining === null || Number(row.resets_at ?? 0) <= Number(row.at)) return undefined;
  return Math.max(0, Number(row.remaining));
}

function waitOf(row: Read): number {
  const at = Number(row.at);
  const untilReset = remainingOf(row) === 0 ? Number(row.resets_at) - at : 0;
  return Math.max(0, Number(row.next_at) - at, Number(row.busy_until) - at, untilReset);
}
