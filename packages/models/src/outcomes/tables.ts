import type { Migration, ModelCategory } from '@nexus/plugin-sdk';
import type { Generated } from 'kysely';

export interface Tables {
  models_calls: CallRow;
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
];
