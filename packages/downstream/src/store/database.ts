import type { Store } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import { migrations } from './migrations.ts';
import type { ToolboxTables } from './tables.ts';

export type Database = Kysely<ToolboxTables>;
/** Connects on first use. */
export type OpenDatabase = () => Promise<Database>;

export function opener(store: Store): OpenDatabase {
  return () => store.open<ToolboxTables>('toolboxes', migrations);
}
