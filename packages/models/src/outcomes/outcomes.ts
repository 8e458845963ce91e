import type { JudgedWork, Log, ModelOutcomes, OutcomeQuery, Store } from '@nexus/plugin-sdk';
import type { Insertable, Kysely } from 'kysely';
import { judgementsOf, readJudged, writeJudgements } from './judgements.ts';
import { summarize } from './summarize.ts';
import { type CallRow, migrations, type Tables } from './tables.ts';

/** Older calls say nothing of how a model does today. */
const KEPT_MS = 90 * 24 * 3_600_000;
/** The newest are enough to judge by, and bound what one reading costs. */
const MAX_READ = 20_000;
const TIDY_EVERY = 500;

/** So that the write is made beside the answer, and with those that come meanwhile. */
const WRITE_AFTER_MS = 250;

/** What became of each call of a model, in the store. */
export interface Outcomes {
  /**
   * Kept by what reads it from here on, and written soon after: no answer waits for it. A record that can't be
   * written is logged; a server that is killed may lose its last ones.
   */
  record(call: NewCall): void;
  read(query: OutcomeQuery): Promise<ModelOutcomes[]>;
  /** Said again of the same work, the last word counts. @returns the models that it is told of */
  judge(work: JudgedWork): Promise<readonly string[]>;
  /** All that was recorded is on disk, or logged. */
  flush(): Promise<void>;
}

export type NewCall = Omit<Insertable<CallRow>, 'id'>;

export interface OutcomesOptions {
  readonly store: Store;
  readonly log: Log;
  /** Hears of calls that were recorded. */
  readonly recorded: () => void;
}

export function createOutcomes({ store, log, recorded }: OutcomesOptions): Outcomes {
  let opened: Promise<Kysely<Tables>> | undefined;
  let untilTidied = 0;
  const waiting: NewCall[] = [];
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  const open = () => {
    opened ??= store.open<Tables>('models', migrations).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };

  async function write(calls: readonly NewCall[]): Promise<void> {
    try {
      const db = await open();
      await db.insertInto('models_calls').values(calls).execute();
      recorded();
      untilTidied -= calls.length;
      if (untilTidied >= 0) return;
      untilTidied = TIDY_EVERY;
      const before = Date.now() - KEPT_MS;
      await db.deleteFrom('models_calls').where('started_at', '<', before).execute();
      await db.deleteFrom('models_judgements').where('judged_at', '<', before).execute();
    } catch (error) {
      const models = [...new Set(calls.map(({ model }) => model))].join(', ');
      log.warn('the outcome of a model call could not be recorded', { model: models, error: String(error) });
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const calls = waiting.splice(0);
    if (calls.length > 0) last = last.then(() => write(calls));
    return last;
  }

  return {
    record(call) {
      waiting.push(call);
      timer ??= setTimeout(flush, WRITE_AFTER_MS);
    },
    flush,
    async read({ provider, category, since }) {
      await flush();
      const db = await open();
      let query = db.selectFrom('models_calls').selectAll().orderBy('id', 'desc').limit(MAX_READ);
      if (provider !== undefined) query = query.where('provider', '=', provider);
      if (category !== undefined) query = query.where('category', '=', category);
      if (since !== undefined) query = query.where('started_at', '>=', since);
      const judged = await readJudged(db, { provider, category, since });
      return summarize((await query.execute()).reverse(), judged);
    },
    async judge(work) {
      await flush();
      try {
        const db = await open();
        const judged = await judgementsOf(db, work);
        await writeJudgements(db, judged);
        if (judged.length > 0) recorded();
        return [...new Set(judged.map(({ model }) => model))];
      } catch (error) {
        log.warn('how work turned out could not be recorded', { work: work.key, error: String(error) });
        return [];
      }
    },
  };
}
