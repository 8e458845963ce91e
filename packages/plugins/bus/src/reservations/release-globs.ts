import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';

/** Drops the worker's reservations, or those of the given globs; answers the ones that were held. */
export async function releaseGlobs(
  bus: Bus,
  worker: string,
  globs: readonly string[] | undefined,
): Promise<string[]> {
  if (globs?.length === 0) return [];
  const released = await bus.db
    .deleteFrom('bus_reservations')
    .where('bus', '=', bus.name)
    .where('worker', '=', worker)
    .$if(globs !== undefined, (query) => query.where('glob', 'in', globs ?? []))
    .returning(['glob', 'expires_at'])
    .execute();
  const now = await readNow(bus);
  return released
    .filter((row) => row.expires_at > now)
    .map((row) => row.glob)
    .sort();
}
