import { backendOf } from './backends.ts';
import { type Scored, scored } from './candidate.ts';
import type { Memory } from './memory.ts';
import { readMetadata } from './metadata.ts';

/** What a link passes on of the relevance of the entry that it stands in. */
const LINKED_RELEVANCE = 0.5;

/** The entries that `matched` ones link to and that did not match themselves. One step, no further. */
export async function linkedCandidates(
  { db }: Memory,
  matched: readonly Scored[],
  { known, nowMs }: { known: ReadonlySet<number>; nowMs: number },
): Promise<Scored[]> {
  const linking = matched.filter(({ backend }) => backendOf(backend).followsLinks);
  if (linking.length === 0) return [];
  const rows = await db
    .selectFrom('memory_entries')
    .select(['id', 'key', 'metadata'])
    .where(
      'id',
      'in',
      linking.map(({ id }) => id),
    )
    .execute();
  const textOf = new Map(rows.map((row) => [row.id, row]));
  const linkers = new Map<string, { key: string; relevance: number }>();
  for (const { id, relevance } of linking) {
    const { key = '', metadata = '{}' } = textOf.get(id) ?? {};
    for (const link of readMetadata(metadata).links ?? []) {
      if (!linkers.has(link)) linkers.set(link, { key, relevance }); // the best comes first
    }
  }
  if (linkers.size === 0) return [];
  const linked = await db
    .selectFrom('memory_entries')
    .select(['id', 'key', 'backend', 'scope', 'version', 'confidence', 'updated_at'])
    .where('backend', '=', 'agentic')
    .where('key', 'in', [...linkers.keys()])
    .execute();
  return linked
    .filter(({ id }) => !known.has(id))
    .map((row) => {
      const { key: via = '', relevance = 0 } = linkers.get(row.key) ?? {};
      const candidate = { ...row, rank: 0 };
      const linkedBy = { relevance: relevance * LINKED_RELEVANCE, sessionId: '', nowMs };
      return { ...scored(candidate, linkedBy), via };
    });
}
