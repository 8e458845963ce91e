import type { Migration } from '@nexus/plugin-sdk';

/** How far each source may be asked now: one row a source, for all processes and machines of the project. */
export interface BudgetRow {
  source: string;
  /** Epoch milliseconds of the store's clock; before it nobody asks. */
  next_at: number;
  /** Until then somebody has the source's one connection; 0 where nobody does, or it has many. */
  busy_until: number;
  /** Who took the last turn: a request that ends late ends no other's. */
  turn: string;
  /** Requests that the source said are left until `resets_at`; null where it says none. */
  remaining: number | null;
  resets_at: number | null;
}

export interface BudgetTables {
  fetching_budgets: BudgetRow;
}

export const migrations: readonly Migration[] = [
  {
    name: '0001-budgets',
    async up(db) {
      await db.schema
        .createTable('fetching_budgets')
        .addColumn('source', 'text', (column) => column.primaryKey())
        .addColumn('next_at', 'bigint', (column) => column.notNull())
        .addColumn('busy_until', 'bigint', (column) => column.notNull())
        .addColumn('turn', 'text', (column) => column.notNull())
        .addColumn('remaining', 'integer')
        .addColumn('resets_at', 'bigint')
        .execute();
    },
  },
];
