import type { Store } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import { migrations } from './migrations.ts';
import type { ToolboxTables } from './tables.ts';

export type Database = Kysely<ToolboxTables>;
/** Connects on first use. */
export type OpenDatabase = (() => Promise<Database>) &
  Pick<Store, 'now' | 'dialect'> & {
    /** For who only reads, and so waits for nobody who writes. */
    toRead(): Promise<Database>;
  };

const NAME = 'toolboxes';

export function opener(store: Store): OpenDatabase {
  const open = () => store.open<ToolboxTables>(NAME, migrations);
  const toRead = async () =>
    (await store.openToRead<ToolboxTables>(NAME, migrations)) ?? store.blank<ToolboxTables>(NAME, migrations);
  return Object.assign(open, { now: store.now, dialect: store.dialect, toRead });
}
