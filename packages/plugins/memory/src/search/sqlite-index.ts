import { sql } from 'kysely';
import type { Match, SearchIndex } from './search-index.ts';

/** FTS5, ranked by bm25 with the columns weighted key 4, value 1, labels 2. */
export const sqliteIndex: SearchIndex = {
  async put(db, entryId, { key, value, labels }) {
    await sql`delete from memory_search where rowid = ${entryId}`.execute(db);
    const columns = [key, value, labels].map((words) => words.join(' '));
    await sql`insert into memory_search (rowid, key, value, labels) values (${entryId}, ${sql.join(columns)})`.execute(
      db,
    );
  },
  matches(terms) {
    const either = terms.flatMap(({ word, prefix }) => [`"${word}"`, ...(prefix ? [`"${prefix}"*`] : [])]);
    return sql<Match>`(
      select rowid as id, -bm25(memory_search, 4.0, 1.0, 2.0) as rank
      from memory_search where memory_search match ${either.join(' OR ')}
    )`;
  },
};
