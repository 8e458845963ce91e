import type { BackendName } from './backends.ts';
import { byScore, type Scored, scored } from './candidate.ts';
import {
  bestCandidates,
  type Candidates,
  type Kept,
  lastCandidates,
  newestCandidates,
} from './candidates.ts';
import { linkedCandidates } from './linked-candidates.ts';
import type { Memory } from './memory.ts';
import { parseQuery, type Term } from './parse-query.ts';
import type { WordsHad } from './search/search-index.ts';
import { tellingTerms } from './telling-terms.ts';

/** What an entry has by frequent words only, beside the best by those that tell. */
const FREQUENT_RELEVANCE = 0.1;

export interface Search {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly source: BackendName | 'all';
  readonly sessionId: string;
}

export interface FoundEntries {
  /** From `offset` on, in the order of the pages. */
  readonly matched: readonly Scored[];
  /** What those link to, where there is room beside them; best first. */
  readonly linked: readonly Scored[];
  /** How many they link to. */
  readonly linkedCount: number;
  /** How many match, in all but where `isMore`. */
  readonly total: number;
  readonly isMore: boolean;
  /** The words of the query that by themselves were not looked at, since too many entries have them. */
  readonly frequentWords: readonly string[];
  /** Those that were not looked for, since the query has so many. */
  readonly unusedWords: readonly string[];
  /** The moment of it, in epoch milliseconds. */
  readonly nowMs: number;
}

/** Reads only. */
export async function findEntries(memory: Memory, search: Search): Promise<FoundEntries> {
  const nowMs = await memory.clock.readNow(memory.db);
  const { sessionId, limit, offset, source, query } = search;
  const { terms, type, leftOut } = parseQuery(query);
  const wanted = offset + limit;
  const { candidates, total, isMore, frequent } = await matchesOf(memory, terms, {
    ...{ source, type, limit, wanted },
  });
  const matched = candidates
    .map(({ relevance, turn, ...candidate }) => ({
      turn,
      hit: scored(candidate, { relevance, sessionId, nowMs }),
    }))
    .sort((a, b) => a.turn - b.turn || byScore(a.hit, b.hit))
    .slice(offset, wanted)
    .map(({ hit }) => hit);
  const known = new Set(candidates.map(({ id }) => id));
  const linked = await linkedCandidates(memory, matched, { known, nowMs });
  // Links never take the place of all that linked.
  const room = linked.sort(byScore).slice(0, limit - 1);
  const best = [...matched, ...room].sort(byScore).slice(0, limit);
  const isLinked = ({ via }: Scored) => via !== undefined;
  const links = best.filter(isLinked);
  // Those that come next begin where these end, so none of them is passed over for a better one of a later turn.
  return {
    matched: matched.slice(0, best.length - links.length),
    linked: links,
    linkedCount: linked.length,
    total,
    isMore,
    frequentWords: frequent.map(({ word }) => word),
    unusedWords: leftOut,
    nowMs,
  };
}

/** Where nothing was ever written. */
export function findNothing({ query }: Pick<Search, 'query'>): FoundEntries {
  const unusedWords = parseQuery(query).leftOut;
  return {
    matched: [],
    linked: [],
    linkedCount: 0,
    total: 0,
    isMore: false,
    frequentWords: [],
    unusedWords,
    nowMs: 0,
  };
}

interface Matches {
  readonly candidates: readonly (Candidates['candidates'][number] & { readonly relevance: number })[];
  readonly total: number;
  /** There are more, which were not counted. */
  readonly isMore: boolean;
  /** Terms that were left out. */
  readonly frequent: readonly Term[];
}

/** By the words that tell; where those lead to fewer than were asked for, then by the frequent ones. */
async function matchesOf(
  memory: Memory,
  terms: readonly Term[],
  { limit, ...kept }: Kept & { readonly limit: number },
): Promise<Matches> {
  if (terms.length === 0) {
    return { ...relevant(await newestCandidates(memory, kept), 1), isMore: false, frequent: [] };
  }
  const { ranked, frequent } = await tellingTerms(memory, terms);
  const telling =
    ranked.length === 0
      ? { candidates: [], total: 0 }
      : relevant(await bestCandidates(memory, memory.index.matches(ranked), kept), 1);
  if (frequent.length === 0 || telling.total >= limit) return { ...telling, isMore: false, frequent };
  const best = telling.total === 0 ? 1 : FREQUENT_RELEVANCE;
  const without = telling.candidates.map(({ id }) => id);
  const more = await byFrequent(memory, frequent, { ...kept, without, limit });
  return {
    candidates: [
      ...telling.candidates,
      ...more.flatMap((each, at) => relevant(each, best / 2 ** at).candidates),
    ],
    total: more.reduce((sum, { total }) => sum + total, telling.total),
    isMore: more.some(({ total }) => total === memory.mostRanked),
    frequent: [],
  };
}

/** What has them all in its key, then what has them all, or where nothing has, any. */
async function byFrequent(
  memory: Memory,
  terms: readonly Term[],
  { without, limit, ...kept }: Kept & { readonly without: readonly number[]; readonly limit: number },
): Promise<Candidates[]> {
  const look = (words: Omit<WordsHad, 'terms'>, known: readonly number[]) =>
    lastCandidates(memory, memory.index.has({ terms, ...words }), {
      ...kept,
      without: known,
      most: memory.mostRanked,
    });
  const inKey = await look({ which: 'all', where: 'key' }, without);
  if (inKey.total >= limit) return [inKey];
  const known = [...without, ...inKey.candidates.map(({ id }) => id)];
  const withAll = await look({ which: 'all', where: 'anywhere' }, known);
  if (inKey.total + withAll.total > 0) return [inKey, withAll];
  return [inKey, await look({ which: 'any', where: 'anywhere' }, known)];
}

/** The relevance is the rank by the best one's, `best` for that one. */
function relevant({ candidates, total }: Candidates, best: number) {
  const highest = Math.max(...candidates.map(({ rank }) => rank), Number.MIN_VALUE);
  return {
    candidates: candidates.map((each) => ({ ...each, relevance: (each.rank / highest) * best })),
    total,
  };
}
