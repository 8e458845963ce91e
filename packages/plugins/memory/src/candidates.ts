import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { BACKEND_NAMES, type BackendName } from './backends.ts';
import type { Candidate } from './candidate.ts';
import { hasNotLapsed } from './has-not-lapsed.ts';
import type { Memory } from './memory.ts';
import type { Match } from './search/search-index.ts';
import type { Tables } from './tables.ts';

/** Scores are worked out among so many of the best matches by text: what comes after them in a turn of its own would not rank. */
const TURN_CANDIDATES = 1000;
/** The same where all match alike: twice what is ever asked for at once. */
const TURN_ALIKE = 200;

/** Which entries a search keeps to. */
export interface Kept {
  readonly source: BackendName | 'all';
  readonly type: string | undefined;
  /** Not these, which were found before. */
  readonly without?: readonly number[];
  /** How many of the best are wanted. */
  readonly wanted: number;
}

/** The best of what matches, each with the turn that it comes in, and how much does. */
export interface Candidates {
  readonly candidates: readonly (Candidate & { readonly turn: number })[];
  readonly total: number;
}

/** So many must be read that the first `wanted` can be told. */
function turnsOf(wanted: number, size: number): number {
  return Math.ceil(wanted / size) * size;
}

function inTurns(candidates: readonly Candidate[], size: number): Candidates['candidates'] {
  return candidates.map((candidate, at) => ({ ...candidate, turn: Math.floor(at / size) }));
}

const COLUMNS = [
  'memory_entries.id as id',
  'backend',
  'scope',
  'version',
  'confidence',
  'updated_at',
] as const;

/** What of the matches is kept to and has not lapsed, the best first. */
export async function bestCandidates(
  memory: Memory,
  matches: Expression<Match>,
  kept: Kept,
): Promise<Candidates> {
  const matching = keptOf(memory, matches, kept);
  const most = turnsOf(kept.wanted, TURN_CANDIDATES);
  const best = await memory.inTurn(() =>
    matching
      .select([...COLUMNS, 'found.rank as rank'])
      .orderBy('found.rank', 'desc')
      .orderBy('updated_at', 'desc')
      .orderBy('memory_entries.id', 'desc')
      .limit(most)
      .execute(),
  );
  const candidates = inTurns(best, TURN_CANDIDATES);
  if (best.length < most) return { candidates, total: best.length };
  const count = matching.select(({ fn }) => fn.countAll<number>().as('total'));
  const { total } = await memory.inTurn(() => count.executeTakeFirstOrThrow());
  return { candidates, total };
}

/** The same of matches that all have one rank: of the `most` that were made last, the newest, and no more are counted. */
export async function lastCandidates(
  memory: Memory,
  matches: Expression<Match>,
  { most, ...kept }: Kept & { readonly most: number },
): Promise<Candidates> {
  const last = keptOf(memory, matches, kept)
    .select([...COLUMNS, 'found.rank as rank'])
    .orderBy('found.id', 'desc')
    .limit(most);
  const rows = await memory.inTurn(() =>
    memory.db
      .selectFrom(last.as('last'))
      .selectAll()
      .select(sql<number>`count(*) over ()`.as('total'))
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(turnsOf(kept.wanted, TURN_ALIKE))
      .execute(),
  );
  return { candidates: inTurns(rows, TURN_ALIKE), total: Number(rows[0]?.total ?? 0) };
}

function keptOf(memory: Memory, matches: Expression<Match>, kept: Kept) {
  return memory.db
    .selectFrom('memory_entries')
    .innerJoin(sql<Match>`${matches}`.as<'found'>('found'), 'found.id', 'memory_entries.id')
    .where(isKept(memory, kept));
}

/** The newest of each backend, without a look at the words: each has the rank 1. */
export async function newestCandidates(memory: Memory, kept: Kept): Promise<Candidates> {
  const { db, inTurn } = memory;
  const candidates: Candidates['candidates'][number][] = [];
  const most = turnsOf(kept.wanted, TURN_ALIKE);
  let total = 0;
  const sources = kept.source === 'all' ? BACKEND_NAMES : [kept.source];
  for (const source of sources) {
    const matching = db.selectFrom('memory_entries').where(isKept(memory, { ...kept, source }));
    const newest = await inTurn(() =>
      matching
        .select([...COLUMNS, (eb) => eb.lit(1).as('rank')])
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute(),
    );
    candidates.push(...inTurns(newest, TURN_ALIKE));
    if (newest.length < most) {
      total += newest.length;
      continue;
    }
    const count = matching.select(({ fn }) => fn.countAll<number>().as('total'));
    total += (await inTurn(() => count.executeTakeFirstOrThrow())).total;
  }
  return { candidates, total };
}

function isKept({ clock }: Memory, { source, type, without = [] }: Kept): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memory_entries'>();
  return eb.and([
    ...(source === 'all' ? [] : [eb('backend', '=', source)]),
    ...(type === undefined ? [] : [eb('type', '=', type)]),
    ...(without.length === 0 ? [] : [eb('memory_entries.id', 'not in', without)]),
    hasNotLapsed(clock, source === 'all' ? BACKEND_NAMES : [source]),
  ]);
}
