import type { Log, ModelOutcomes, OutcomeQuery, Store } from '@nexus/plugin-sdk';
import type { Insertable, Kysely } from 'kysely';
import { summarize } from './summarize.ts';
import { type CallRow, migrations, type Tables } from './tables.ts';

/** Older calls say nothing of how a model does today. */
const KEPT_MS = 90 * 24 * 3_600_000;
/** The newest are enough to judge by, and bound what one reading costs. */
const MAX_READ = 20_000;
const TIDY_EVERY = 500;

/** What became of each call of a model, in the store. */
export interface Outcomes {
  /** Never throws: a record that can't be written is logged, and the answer is not lost with it. */
  record(call: Omit<Insertable<CallRow>, 'id'>): Promise<void>;
  read(query: OutcomeQuery): Promise<ModelOutcomes[]>;
}

export interface OutcomesOptions {
  readonly store: Store;
  readonly log: Log;
  /** Hears of each call that was recorded. */
  readonly recorded: () => void;
}

export function createOutcomes({ store, log, recorded }: OutcomesOptions): Outcomes {
  let opened: Promise<Kysely<Tables>> | undefined;
  let written = 0;
  const open = () => {
    opened ??= store.open<Tables>('models', migrations).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    async record(call) {
      try {
        const db = await open();
        await db.insertInto('models_calls').values(call).execute();
        written += 1;
        recorded();
        if (written % TIDY_EVERY === 1)
          await db
            .deleteFrom('models_calls')
            .where('started_at', '<', call.started_at - KEPT_MS)
            .execute();
      } catch (error) {
        log.warn('the outcome of a model call could not be recorded', {
          model: call.model,
          error: String(error),
        });
      }
    },
    async read({ provider, category, since }) {
      const db = await open();
      let query = db.selectFrom('models_calls').selectAll().orderBy('id', 'desc').limit(MAX_READ);
      if (provider !== undefined) query = query.where('provider', '=', provider);
      if (category !== undefined) query = query.where('category', '=', category);
      if (since !== undefined) query = query.where('started_at', '>=', since);
      return summarize((await query.execute()).reverse());
    },
  };
}
