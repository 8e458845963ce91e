import type { Migration } from '@nexus/plugin-sdk';

export const migrations: readonly Migration[] = [
  {
    name: '0001-votes',
    async up(db) {
      await db.schema
        .createTable('consensus_votes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('proposal', 'text', (column) => column.notNull())
        .addColumn('options', 'text')
        .addColumn('strategy', 'text', (column) => column.notNull())
        .addColumn('error_policy', 'text', (column) => column.notNull())
        .addColumn('decision', 'text', (column) => column.notNull())
        .addColumn('winner', 'integer')
        .addColumn('approval', 'double precision', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('outcome', 'text')
        .addColumn('outcome_source', 'text')
        .addColumn('outcome_at', 'bigint')
        .execute();
      await db.schema
        .createTable('consensus_ballots')
        .addColumn('vote_id', 'text', (column) => column.notNull().references('consensus_votes.id'))
        .addColumn('axis', 'text', (column) => column.notNull())
        .addColumn('voter', 'text', (column) => column.notNull())
        .addColumn('model', 'text', (column) => column.notNull())
        .addColumn('choice', 'text', (column) => column.notNull())
        .addColumn('confidence', 'double precision', (column) => column.notNull())
        .addColumn('reasoning', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('consensus_ballots_key', ['vote_id', 'axis', 'voter'])
        .execute();
    },
  },
  {
    name: '0002-users',
    up: (db) => db.schema.alterTable('consensus_votes').addColumn('user_id', 'text').execute(),
  },
  {
    name: '0003-told',
    up: (db) => db.schema.alterTable('consensus_votes').addColumn('told', 'text').execute(),
  },
];
