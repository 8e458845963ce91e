import type { SelectQueryBuilder } from 'kysely';
import { BACKEND_NAMES, type BackendName, backendOf } from './backends.ts';
import { byScore, type Candidate, type Scored, scored } from './candidate.ts';
import { linkedCandidates } from './linked-candidates.ts';
import type { Memory } from './memory.ts';
import { type ParsedQuery, parseQuery } from './parse-query.ts';
import type { Tables } from './tables.ts';

/** Scores are worked out for the best matches by text only; so many, that what is cut would not rank. */
const MOST_CANDIDATES = 1000;

const LAPSING = BACKEND_NAMES.flatMap((backend) => {
  const { lapsesAfterMs } = backendOf(backend);
  return lapsesAfterMs === undefined ? [] : [{ backend, lapsesAfterMs }];
});

export interface Search {
  readonly query: string;
  readonly limit: number;
  readonly source: BackendName | 'all';
  readonly sessionId: string;
}

/** The best entries, best first, how many match in all, and the moment of it. Reads only. */
export async function findEntries(
  memory: Memory,
  search: Search,
): Promise<{ found: Scored[]; total: number; nowMs: number }> {
  const nowMs = await memory.clock.readNow(memory.db);
  const parsed = parseQuery(search.query);
  const candidates = await findCandidates(memory, parsed, search);
  const best = Math.max(...candidates.map(({ rank }) => rank), Number.MIN_VALUE);
  const matched = candidates
    .map((candidate) =>
      scored(candidate, { relevance: candidate.rank / best, sessionId: search.sessionId, nowMs }),
    )
    .sort(byScore)
    .slice(0, search.limit);
  const known = new Set(candidates.map(({ id }) => id));
  const linked = await linkedCandidates(memory, matched, { known, nowMs });
  const found = [...matched, ...linked].sort(byScore).slice(0, search.limit);
  const total =
    candidates.length < MOST_CANDIDATES ? candidates.length : await countMatches(memory, parsed, search);
  return { found, total: total + linked.length, nowMs };
}

async function findCandidates(memory: Memory, parsed: ParsedQuery, search: Search): Promise<Candidate[]> {
  return matching(memory, parsed, search)
    .select((eb) => [
      'memory_entries.id as id',
      'backend',
      'scope',
      'version',
      'confidence',
      'updated_at',
      eb.ref('found.rank').as('rank'),
    ])
    .orderBy('found.rank', 'desc')
    .orderBy('updated_at', 'desc')
    .limit(MOST_CANDIDATES)
    .execute();
}

async function countMatches(memory: Memory, parsed: ParsedQuery, search: Search): Promise<number> {
  const row = await matching(memory, parsed, search)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return row.total;
}

interface Found {
  found: { id: number; rank: number };
}

/** Entries that fit the query, the source and the type and have not lapsed. */
function matching(
  { db, index, clock }: Memory,
  { terms, type }: ParsedQuery,
  { source }: Search,
): SelectQueryBuilder<Tables & Found, 'memory_entries' | 'found', object> {
  const matches =
    terms.length > 0
      ? index.matches(terms).as<'found'>('found')
      : db
          .selectFrom('memory_entries as every')
          .select(['every.id', (eb) => eb.val(1).as('rank')])
          .as('found');
  return db
    .selectFrom('memory_entries')
    .innerJoin(matches, 'found.id', 'memory_entries.id')
    .$if(source !== 'all', (query) => query.where('backend', '=', source as BackendName))
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? ''))
    .where((eb) =>
      eb.and(
        LAPSING.map(({ backend, lapsesAfterMs }) =>
          eb.or([eb('backend', '!=', backend), eb(eb('updated_at', '+', lapsesAfterMs), '>', clock.now)]),
        ),
      ),
    );
}
