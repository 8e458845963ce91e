import { BACKEND_NAMES, type BackendName, backendOf } from './backends.ts';
import type { Memory } from './memory.ts';
import { type Aging, decayOf, promotionOf } from './score.ts';

export interface BackendStats {
  readonly backend: BackendName;
  readonly entries: number;
  readonly versions: number;
  readonly bytes: number;
  readonly oldest?: string;
  readonly newest?: string;
  readonly averageConfidence?: number;
  /** Entries too old to be found. */
  readonly lapsed?: number;
}

/** Where nothing was ever written. */
export function noStats(): BackendStats[] {
  return BACKEND_NAMES.map(nothingIn);
}

function nothingIn(backend: BackendName): BackendStats {
  return { backend, entries: 0, versions: 0, bytes: 0 };
}

export async function collectStats(memory: Memory): Promise<BackendStats[]> {
  const rows = await memory.db
    .selectFrom('memory_entries')
    .select(({ fn }) => [
      'backend',
      fn.countAll<number>().as('entries'),
      fn.sum<number>('version').as('versions'),
      fn.sum<number>('bytes').as('bytes'),
      fn.min('updated_at').as('oldest'),
      fn.max('updated_at').as('newest'),
      fn.avg<number>('confidence').as('confidence'),
    ])
    .groupBy('backend')
    .execute();
  const lapsed = await countLapsed(memory);
  return BACKEND_NAMES.map((backend) => {
    const row = rows.find((each) => each.backend === backend);
    if (!row) return nothingIn(backend);
    return {
      backend,
      entries: row.entries,
      versions: row.versions,
      bytes: row.bytes,
      oldest: new Date(row.oldest).toISOString(),
      newest: new Date(row.newest).toISOString(),
      averageConfidence: row.confidence,
      ...(backendOf(backend).lapsesAfterMs === undefined ? {} : { lapsed: lapsed.get(backend) ?? 0 }),
    };
  });
}

async function countLapsed({ db, clock }: Memory): Promise<Map<BackendName, number>> {
  const counts = new Map<BackendName, number>();
  for (const backend of BACKEND_NAMES) {
    const { lapsesAfterMs } = backendOf(backend);
    if (lapsesAfterMs === undefined) continue;
    const { lapsed } = await db
      .selectFrom('memory_entries')
      .select(({ fn }) => fn.countAll<number>().as('lapsed'))
      .where('backend', '=', backend)
      .where((eb) => eb(eb('updated_at', '+', lapsesAfterMs), '<=', clock.now))
      .executeTakeFirstOrThrow();
    counts.set(backend, lapsed);
  }
  return counts;
}

export interface Spread {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** How many entries of each backend lie below, between and above the bounds of a part of the score. */
export async function spreadOf(
  memory: Memory,
  part: 'decay' | 'promotion',
): Promise<Map<BackendName, Spread>> {
  const { measure, middleFrom, highFrom } = PARTS[part];
  const now = await memory.clock.readNow(memory.db);
  const rows = await memory.db
    .selectFrom('memory_entries')
    .select(['backend', 'updated_at', 'version'])
    .execute();
  const spreads = new Map<BackendName, { low: number; middle: number; high: number }>();
  for (const { backend, updated_at: updatedAtMs, version } of rows) {
    const spread = spreads.get(backend) ?? { low: 0, middle: 0, high: 0 };
    const value = measure({ backend, updatedAtMs, version }, now);
    spread[value >= highFrom ? 'high' : value >= middleFrom ? 'middle' : 'low']++;
    spreads.set(backend, spread);
  }
  return spreads;
}

const PARTS = {
  decay: { measure: decayOf, middleFrom: 0.25, highFrom: 0.75 },
  promotion: { measure: (aging: Aging) => promotionOf(aging), middleFrom: 1.25, highFrom: 2 },
} as const;
