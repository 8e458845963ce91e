import type { Store } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import { migrations } from './migrations.ts';
import type { ToolboxTables } from './tables.ts';

export type Database = Kysely<ToolboxTables>;
/** Connects on first use. */
export type OpenDatabase = (() => Promise<Database>) & Pick<Store, 'now' | 'dialect'>;

export function opener(store: Store): OpenDatabase {
  const open = () => store.open<ToolboxTables>('toolboxes', migrations);
  return Object.assign(open, { now: store.now, dialect: store.dialect });
}
