import { sql } from 'kysely';
import type { Term } from '../parse-query.ts';
import type { Match, SearchIndex } from './search-index.ts';

/** FTS5, ranked by bm25 with the columns weighted key 4, value 1, labels 2. */
export const sqliteIndex: SearchIndex = {
  async put(db, entryId, { key, value, labels }) {
    await sqliteIndex.remove(db, entryId);
    const columns = [key, value, labels].map((words) => words.join(' '));
    await sql`insert into memory_search (rowid, key, value, labels) values (${entryId}, ${sql.join(columns)})`.execute(
      db,
    );
  },
  async remove(db, entryId) {
    await sql`delete from memory_search where rowid = ${entryId}`.execute(db);
  },
  matches(terms) {
    const either = terms.flatMap(({ word, prefix }) => [`"${word}"`, ...(prefix ? [`"${prefix}"*`] : [])]);
    return sql<Match>`(
      select rowid as id, -bm25(memory_search, 4.0, 1.0, 2.0) as rank
      from memory_search where memory_search match ${either.join(' OR ')}
    )`;
  },
  has({ terms, which, where }) {
    const words = terms.map(whole).join(which === 'all' ? ' AND ' : ' OR ');
    const each = where === 'key' ? `key : (${words})` : words;
    return sql<Match>`(select rowid as id, 1 as rank from memory_search where memory_search match ${each})`;
  },
  async count(db, term, most) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from (
      select 1 from memory_search where memory_search match ${whole(term)} limit ${most}
    )`.execute(db);
    return Number(rows[0]?.n ?? 0);
  },
};

/** A word as it is begins with its own prefix. */
function whole({ word, prefix }: Term): string {
  return prefix === undefined ? `"${word}"` : `"${prefix}"*`;
}
