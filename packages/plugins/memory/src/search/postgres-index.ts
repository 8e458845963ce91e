import { sql } from 'kysely';
import type { Term } from '../parse-query.ts';
import type { IndexedWords, Match, SearchIndex } from './search-index.ts';

/** A tsvector holds no larger position; words beyond it count at the last one. */
const LAST_POSITION = 16_383;

/** tsvector, ranked by ts_rank with the weights key A, labels B, value D. */
export const postgresIndex: SearchIndex = {
  async put(db, entryId, words) {
    const document = toVector(words);
    await sql`
      insert into memory_search (entry_id, document) values (${entryId}, ${document}::tsvector)
      on conflict (entry_id) do update set document = excluded.document`.execute(db);
  },
  async remove(db, entryId) {
    await sql`delete from memory_search where entry_id = ${entryId}`.execute(db);
  },
  matches(terms) {
    const either = terms.flatMap(({ word, prefix }) => [`'${word}'`, ...(prefix ? [`'${prefix}':*`] : [])]);
    const query = sql`${either.join(' | ')}::tsquery`;
    return sql<Match>`(
      select entry_id as id, ts_rank(document, ${query}) as rank from memory_search where document @@ ${query}
    )`;
  },
  has({ terms, which, where }) {
    const each = terms.map((term) => whole(term, where === 'key' ? 'A' : ''));
    const query = sql`${each.join(which === 'all' ? ' & ' : ' | ')}::tsquery`;
    return sql<Match>`(select entry_id as id, 1 as rank from memory_search where document @@ ${query})`;
  },
  async count(db, term, most) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from (
      select 1 from memory_search where document @@ ${whole(term)}::tsquery limit ${most}
    ) as found`.execute(db);
    return Number(rows[0]?.n ?? 0);
  },
};

/** A word as it is begins with its own prefix. */
function whole({ word, prefix }: Term, weight = ''): string {
  if (prefix !== undefined) return `'${prefix}':*${weight}`;
  return weight === '' ? `'${word}'` : `'${word}':${weight}`;
}

/** Written out as the vector itself, past Postgres' own parser, which would split words in its own way. */
function toVector({ key, labels, value }: IndexedWords): string {
  const weighted = [
    ...key.map((word) => ({ word, weight: 'A' })),
    ...labels.map((word) => ({ word, weight: 'B' })),
    ...value.map((word) => ({ word, weight: '' })),
  ];
  return weighted
    .map(({ word, weight }, index) => `'${word}':${Math.min(index + 1, LAST_POSITION)}${weight}`)
    .join(' ');
}
