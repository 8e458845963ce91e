import type { Migration } from '@nexus/plugin-sdk';
import { sql } from 'kysely';

/** The full-text index: words only, the texts themselves stay in `memory_entries`. */
export const searchTables: Migration['up'] = async (db, dialect) => {
  if (dialect === 'sqlite') {
    // The words come ready made; `ascii` takes every character beyond ASCII as part of a word.
    await sql`create virtual table memory_search using fts5(
      key, value, labels, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '3 4'
    )`.execute(db);
    return;
  }
  await sql`create table memory_search (
    entry_id bigint primary key references memory_entries (id), document tsvector not null
  )`.execute(db);
  await sql`create index memory_search_document on memory_search using gin (document)`.execute(db);
};
