import type { Migration } from '@nexus/plugin-sdk';

/** Both dialects give it back as a number; Postgres gives a bigint as text. */
const MOMENT = 'double precision';

export const migrations: readonly Migration[] = [
  {
    name: '0001-toolboxes',
    async up(db) {
      await db.schema
        .createTable('toolboxes_catalogue')
        .addColumn('toolbox', 'text', (column) => column.notNull())
        .addColumn('server', 'text', (column) => column.notNull())
        .addColumn('settings_key', 'text', (column) => column.notNull())
        .addColumn('tools', 'text', (column) => column.notNull())
        .addColumn('listed_at', MOMENT, (column) => column.notNull())
        .addPrimaryKeyConstraint('toolboxes_catalogue_key', ['toolbox', 'server', 'settings_key'])
        .execute();
      await db.schema
        .createTable('toolboxes_pins')
        .addColumn('toolbox', 'text', (column) => column.notNull())
        .addColumn('server', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('definition', 'text', (column) => column.notNull())
        .addColumn('held_hash', 'text')
        .addColumn('held_definition', 'text')
        .addColumn('pinned_at', MOMENT, (column) => column.notNull())
        .addPrimaryKeyConstraint('toolboxes_pins_key', ['toolbox', 'server', 'tool'])
        .execute();
      await db.schema
        .createTable('toolboxes_open')
        .addColumn('session_id', 'text', (column) => column.notNull())
        .addColumn('toolbox', 'text', (column) => column.notNull())
        .addColumn('opened_at', MOMENT, (column) => column.notNull())
        .addPrimaryKeyConstraint('toolboxes_open_key', ['session_id', 'toolbox'])
        .execute();
    },
  },
  {
    name: '0002-shapes',
    async up(db) {
      await db.schema
        .createTable('toolboxes_shapes')
        .addColumn('toolbox', 'text', (column) => column.notNull())
        .addColumn('server', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('definition_hash', 'text', (column) => column.notNull())
        .addColumn('shape', 'text', (column) => column.notNull())
        .addColumn('learnt_at', MOMENT, (column) => column.notNull())
        .addPrimaryKeyConstraint('toolboxes_shapes_key', ['toolbox', 'server', 'tool'])
        .execute();
    },
  },
  {
    name: '0003-shapes-have-users',
    async up(db) {
      // Whose results taught what is on record nobody knows, so nobody is told of it.
      await db.schema.dropTable('toolboxes_shapes').execute();
      await db.schema
        .createTable('toolboxes_shapes')
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('toolbox', 'text', (column) => column.notNull())
        .addColumn('server', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('definition_hash', 'text', (column) => column.notNull())
        .addColumn('shape', 'text', (column) => column.notNull())
        .addColumn('learnt_at', MOMENT, (column) => column.notNull())
        .addPrimaryKeyConstraint('toolboxes_shapes_key', ['user_id', 'toolbox', 'server', 'tool'])
        .execute();
    },
  },
  {
    name: '0004-digests',
    async up(db) {
      await db.schema.alterTable('toolboxes_catalogue').addColumn('digest', 'text').execute();
    },
  },
];
