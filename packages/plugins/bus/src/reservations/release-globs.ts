import type { Bus } from '../bus.ts';

/** Drops the worker's reservations, or those of the given globs; answers the ones that were held. */
export async function releaseGlobs(
  { db, name }: Bus,
  worker: string,
  globs: readonly string[] | undefined,
): Promise<string[]> {
  if (globs?.length === 0) return [];
  const released = await db
    .deleteFrom('bus_reservations')
    .where('bus', '=', name)
    .where('worker', '=', worker)
    .$if(globs !== undefined, (query) => query.where('glob', 'in', globs ?? []))
    .returning(['glob', 'expires_at'])
    .execute();
  const now = Date.now();
  return released
    .filter((row) => row.expires_at > now)
    .map((row) => row.glob)
    .sort();
}
