import type { Store } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import { migrations } from './migrations.ts';
import { type SearchIndex, searchIndex } from './search/search-index.ts';
import type { Tables } from './tables.ts';

/** The open tables and the full-text index on them. */
export interface Memory {
  readonly db: Kysely<Tables>;
  readonly index: SearchIndex;
  /** The database's clock, by which entries age. */
  readonly clock: Pick<Store, 'now' | 'readNow'>;
}

export async function openMemory(store: Store): Promise<Memory> {
  const db = await store.open<Tables>('memory', migrations);
  return { db, index: searchIndex(store.dialect), clock: store };
}
