import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { BACKEND_NAMES, type BackendName, backendOf } from './backends.ts';
import { hasNotLapsed } from './has-not-lapsed.ts';
import type { Memory } from './memory.ts';
import type { Metadata } from './metadata.ts';
import type { Tables } from './tables.ts';
import { toWords } from './words.ts';

export interface NewEntry {
  readonly backend: BackendName;
  readonly sessionId: string;
  readonly key: string;
  readonly value: string;
  readonly confidence: number | undefined;
  readonly metadata: Metadata;
}

export interface WrittenEntry {
  readonly outcome: 'created' | 'confirmed' | 'replaced';
  readonly version: number;
  readonly confidence: number;
  /** What the key held before, when this write replaced it. */
  readonly previous?: { readonly value: string; readonly confidence: number };
  /** Other backends that hold something under the same key that has not lapsed; of sessions' notes, the caller's own. */
  readonly elsewhere?: BackendName[];
}

/** Writes the entry, its version and its words in one transaction. */
export async function writeEntry({ db, index, clock }: Memory, entry: NewEntry): Promise<WrittenEntry> {
  const { key, value, metadata } = entry;
  const type = (metadata.type ?? '').toLowerCase();
  return db.transaction().execute(async (trx) => {
    const row = await upsert(trx, { entry, type, now: clock.now });
    // The upsert holds the row, so the version before this one can't change any more.
    const before = await trx
      .selectFrom('memory_versions')
      .select(['value', 'confidence'])
      .where('entry_id', '=', row.id)
      .where('version', '=', row.version - 1)
      .executeTakeFirst();
    await trx
      .insertInto('memory_versions')
      .values({
        entry_id: row.id,
        version: row.version,
        value,
        metadata: JSON.stringify(metadata),
        confidence: row.confidence,
        written_at: row.updated_at,
      })
      .execute();
    const labels = [type, ...(metadata.tags ?? [])].flatMap(toWords);
    await index.put(trx, row.id, { key: toWords(key), value: toWords(value), labels });
    const { version, confidence } = row;
    const others = await elsewhere(trx, entry, clock);
    const said = { version, confidence, ...(others.length === 0 ? {} : { elsewhere: others }) };
    if (!before) return { outcome: 'created', ...said };
    if (before.value === value) return { outcome: 'confirmed', ...said };
    return { outcome: 'replaced', ...said, previous: before };
  });
}

/** Two entries of one key are two truths to whoever asks: the writer hears of the other, as long as a query finds it. */
async function elsewhere(
  db: Memory['db'],
  { backend, key, sessionId }: NewEntry,
  clock: Memory['clock'],
): Promise<BackendName[]> {
  const rows = await db
    .selectFrom('memory_entries')
    .select('backend')
    .where('key', '=', key)
    .where('backend', '<>', backend)
    .where('scope', 'in', ['', sessionId])
    .where(hasNotLapsed(clock, BACKEND_NAMES))
    .orderBy('backend')
    .execute();
  return rows.map((row) => row.backend);
}

function upsert(
  trx: Memory['db'],
  { entry, type, now }: { entry: NewEntry; type: string; now: Expression<number> },
) {
  const { backend, key, value, metadata } = entry;
  const { isPerSession, defaultConfidence } = backendOf(backend);
  return trx
    .insertInto('memory_entries')
    .values({
      backend,
      scope: isPerSession ? entry.sessionId : '',
      key,
      value,
      bytes: Buffer.byteLength(value),
      metadata: JSON.stringify(metadata),
      type,
      confidence: entry.confidence ?? defaultConfidence,
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['backend', 'scope', 'key']).doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        bytes: eb.ref('excluded.bytes'),
        metadata: eb.ref('excluded.metadata'),
        type: eb.ref('excluded.type'),
        confidence: settledConfidence(eb, entry),
        version: eb('memory_entries.version', '+', 1),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .returning(['id', 'version', 'confidence', 'updated_at'])
    .executeTakeFirstOrThrow();
}

type Conflict = ExpressionBuilder<
  Tables & { excluded: Tables['memory_entries'] },
  'memory_entries' | 'excluded'
>;

/** As sure as a belief gets by being said again: doubts that are left make no certainty, however often. */
const SUREST = 0.999999;

/**
 * A belief said again gains: `1 - (1 - held) * (1 - said)`. One that contradicts has the confidence that was stated
 * with it; where none was, it starts lower the more firmly the other was held: `said * (1 - held / 2)`. Elsewhere the
 * last word counts.
 */
function settledConfidence(eb: Conflict, { backend, confidence }: NewEntry) {
  if (!backendOf(backend).weighsRewrites) return eb.ref('excluded.confidence');
  const before = sql.ref('memory_entries.confidence');
  const said = sql.ref('excluded.confidence');
  const corrected = confidence === undefined ? sql`${said} * (1.0 - ${before} / 2.0)` : said;
  const sum = sql`1.0 - (1.0 - ${before}) * (1.0 - ${said})`;
  const gained = sql`case when ${before} < 1.0 and ${said} < 1.0 and ${sum} > ${sql.lit(SUREST)} then ${sql.lit(SUREST)} else ${sum} end`;
  return sql<number>`case when memory_entries.value = excluded.value
    then ${gained} else ${corrected} end`;
}
