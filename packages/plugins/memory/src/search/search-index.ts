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

export interface WordsHad {
  readonly terms: readonly Term[];
  readonly which: 'all' | 'any';
  readonly where: 'key' | 'anywhere';
}

/** The one part of the queries that the databases write differently. */
export interface SearchIndex {
  put(db: Kysely<Tables>, entryId: number, words: IndexedWords): Promise<void>;
  remove(db: Kysely<Tables>, entryId: number): Promise<void>;
  /** Every entry with any of the terms, as a subquery. */
  matches(terms: readonly Term[]): RawBuilder<Match>;
  /** Every entry that has them, as a subquery: each with the rank 1, which costs nothing to work out. */
  has(words: WordsHad): RawBuilder<Match>;
  /** How many entries have the term, counted up to `most`. */
  count(db: Kysely<Tables>, term: Term, most: number): Promise<number>;
}

export function searchIndex(dialect: Dialect): SearchIndex {
  return dialect === 'postgres' ? postgresIndex : sqliteIndex;
}
