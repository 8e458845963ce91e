import type { Store } from '@nexus/plugin-sdk';
import type { InTurn } from '@nexus/primitives';
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
  /** Where a statement of a search that reads much is made. */
  readonly inTurn: InTurn;
  /** By how many entries' texts a search is ranked: see {@link MOST_RANKED}. */
  readonly mostRanked: number;
}

/** To work out how well a text matches costs some microseconds an entry; for so many it is done. */
const MOST_RANKED = 5_000;

/** @param inTurn the same for all searches of this process */
export async function openMemory(store: Store, inTurn: InTurn): Promise<Memory> {
  return memoryOn(await store.open<Tables>(NAME, migrations), store, inTurn);
}

/** The same for who only reads; undefined where nothing was ever written. */
export async function openWrittenMemory(store: Store, inTurn: InTurn): Promise<Memory | undefined> {
  const db = await store.openToRead<Tables>(NAME, migrations);
  return db && memoryOn(db, store, inTurn);
}

const NAME = 'memory';

function memoryOn(db: Kysely<Tables>, store: Store, inTurn: InTurn): Memory {
  const isEmbedded = store.dialect === 'sqlite';
  return {
    db,
    index: searchIndex(store.dialect),
    clock: store,
    inTurn: isEmbedded ? inTurn : (work) => work(),
    mostRanked: MOST_RANKED,
  };
}
