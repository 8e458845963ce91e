import type { Migration, ModelCategory } from '@nexus/plugin-sdk';
import type { Generated } from 'kysely';

export interface Tables {
  models_calls: CallRow;
  models_judgements: JudgementRow;
}

/** How a piece of a model's work turned out. */
export interface JudgementRow {
  /** Of the piece of work. */
  key: string;
  model: string;
  provider: string;
  category: ModelCategory;
  /** Epoch milliseconds. */
  judged_at: number;
  is_good: number;
  /** What showed it. */
  source: string;
}

/** One call of a model, its retries included. */
export interface CallRow {
  id: Generated<number>;
  /** `provider:name`. */
  model: string;
  provider: string;
  category: ModelCategory;
  /** Epoch milliseconds. */
  started_at: number;
  latency_ms: number;
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  /** Null where no price is known. */
  cost_usd: number | null;
  /** `ok`, or the error's code. */
  outcome: string;
  /** The first run of the family that asked; null for a call without one. */
  root_id: string | null;
}

export const migrations: readonly Migration[] = [
  {
    name: '0001-calls',
    async up(db, dialect) {
      await db.schema
        .createTable('models_calls')
        .addColumn('id', dialect === 'postgres' ? 'bigserial' : 'integer', (column) => column.primaryKey())
        .addColumn('model', 'text', (column) => column.notNull())
        .addColumn('provider', 'text', (column) => column.notNull())
        .addColumn('category', 'text', (column) => column.notNull())
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addColumn('latency_ms', 'bigint', (column) => column.notNull())
        .addColumn('input_tokens', 'bigint', (column) => column.notNull())
        .addColumn('output_tokens', 'bigint', (column) => column.notNull())
        .addColumn('cached_input_tokens', 'bigint', (column) => column.notNull())
        .addColumn('cost_usd', 'double precision')
        .addColumn('outcome', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('models_calls_age').on('models_calls').column('started_at').execute();
    },
  },
  {
    name: '0002-judgements',
    async up(db) {
      await db.schema.alterTable('models_calls').addColumn('root_id', 'text').execute();
      await db.schema.createIndex('models_calls_root').on('models_calls').column('root_id').execute();
      await db.schema
        .createTable('models_judgements')
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('model', 'text', (column) => column.notNull())
        .addColumn('provider', 'text', (column) => column.notNull())
        .addColumn('category', 'text', (column) => column.notNull())
        .addColumn('judged_at', 'bigint', (column) => column.notNull())
        .addColumn('is_good', 'integer', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('models_judgements_pk', ['key', 'model', 'category'])
        .execute();
      await db.schema
        .createIndex('models_judgements_age')
        .on('models_judgements')
        .column('judged_at')
        .execute();
    },
  },
];
