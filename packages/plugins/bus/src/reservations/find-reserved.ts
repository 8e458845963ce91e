import type { listReservations } from './list-reservations.ts';

type Held = Awaited<ReturnType<typeof listReservations>>['items'][number];

export interface ReservedPath {
  readonly path: string;
  readonly held: Held;
}

/**
 * The paths that somebody else has reserved for himself alone, each with the first reservation that says so.
 * @param paths relative to the project, with `/`
 * @param self the worker whose own reservations do not count
 */
export async function findReserved(
  paths: readonly string[],
  reservations: readonly Held[],
  self: string | undefined,
): Promise<ReservedPath[]> {
  // Loaded where it is needed: the automata are large.
  const { createGlobOverlap } = await import('./overlap.ts');
  // A path that is held to a reservation says itself what lies below it.
  const { matches } = createGlobOverlap(() => 'folder');
  const others = reservations.filter(({ worker, exclusive }) => exclusive && worker !== self);
  return paths.flatMap((path) => {
    const held = others.find(({ glob }) => matches(glob, path));
    return held ? [{ path, held }] : [];
  });
}
