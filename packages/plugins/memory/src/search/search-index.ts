import type { Dialect } from '@nexus/plugin-sdk';
import type { Kysely, RawBuilder } from 'kysely';
import type { Term } from '../parse-query.ts';
import type { Tables } from '../tables.ts';
import { postgresIndex } from './postgres-index.ts';
import { sqliteIndex } from './sqlite-index.ts';

/** An entry's words, by how much a match in them counts: the key most, then type and tags, then the value. */
export interface IndexedWords {
  readonly key: readonly string[];
  readonly labels: readonly string[];
  readonly value: readonly string[];
}

/** A match; `rank` is higher for a better one and means something only within one query. */
export interface Match {
  id: number;
  rank: number;
}

/** The one part of the queries that the databases write differently. */
export interface SearchIndex {
  put(db: Kysely<Tables>, entryId: number, words: IndexedWords): Promise<void>;
  /** Every entry with any of the terms, as a subquery. */
  matches(terms: readonly Term[]): RawBuilder<Match>;
}

export function searchIndex(dialect: Dialect): SearchIndex {
  return dialect === 'postgres' ? postgresIndex : sqliteIndex;
}
