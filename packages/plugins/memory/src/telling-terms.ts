import type { Memory } from './memory.ts';
import type { Term } from './parse-query.ts';

/** With all of them, to look for entries that have each: those beyond take time and leave out little. */
const MOST_FREQUENT = 3;

/** The words of a query, apart by what they tell. */
export interface TellingTerms {
  /** What entries are ranked by: together in at most `mostRanked` entries. */
  readonly ranked: readonly Term[];
  /** In so many entries that they tell them apart no more. */
  readonly frequent: readonly Term[];
}

/** Counts only where there is so much that it matters. */
export async function tellingTerms(memory: Memory, terms: readonly Term[]): Promise<TellingTerms> {
  const { mostRanked } = memory;
  if (terms.length === 0 || (await highestId(memory)) <= mostRanked) return { ranked: terms, frequent: [] };
  const counted: { term: Term; count: number }[] = [];
  for (const term of terms) {
    const count = await memory.inTurn(() => memory.index.count(memory.db, term, mostRanked + 1));
    counted.push({ term, count });
  }
  const ranked: Term[] = [];
  const frequent: Term[] = [];
  let sum = 0;
  for (const { term, count } of counted.sort((a, b) => a.count - b.count)) {
    sum += count;
    if (sum <= mostRanked) ranked.push(term);
    else frequent.push(term);
  }
  return { ranked, frequent: frequent.slice(0, MOST_FREQUENT) };
}

/** No fewer than there are entries, and read without counting them. */
async function highestId({ db }: Memory): Promise<number> {
  const row = await db
    .selectFrom('memory_entries')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow();
  return row.id ?? 0;
}
