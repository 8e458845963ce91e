import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToolError } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import type { Bus } from '../bus.ts';
import { toMoment } from '../fields.ts';
import { serialize } from '../serialize.ts';
import type { Holder } from '../session-holds.ts';
import type { BusTables } from '../tables.ts';
import { kindIn } from './kind-in.ts';
import type { GlobOverlap } from './overlap.ts';

/** Conflicts that an answer names. */
const SHOWN = 10;

/** Milliseconds of comparing after which others have their turn. */
const STRETCH_MS = 20;

export interface Reservation {
  readonly worker: string;
  /** Normalised. */
  readonly globs: readonly string[];
  readonly exclusive: boolean;
  readonly ttlMs: number;
  readonly holder: Holder;
}

/**
 * Reserves all of the globs or none. The worker's own reservations never stand in its way: the same
 * glob again is a new reservation in place of the old one. What sessions that are over reserved does not either.
 * @returns the moment it expires, epoch milliseconds
 * @throws {ToolError} NEXUS_CONFLICT naming holders, globs and when they are free
 */
export async function reserveGlobs(bus: Bus, wanted: Reservation): Promise<number> {
  // Loaded by the first reservation: the automata are large. What a CommonJS library exports is bound by name there.
  const { createGlobOverlap } = await import('./overlap.ts');
  const comparison = createGlobOverlap(kindIn(bus.projectRoot));
  for (const glob of wanted.globs) comparison.check(glob);
  if (await isHeldAhead(bus, { wanted, comparison })) await bus.holds.tend();
  return bus.db.transaction().execute(async (tx) => {
    await serialize(tx);
    const now = await bus.clock.readNow(tx);
    await tx
      .deleteFrom('bus_reservations')
      .where('bus', '=', bus.name)
      .where('expires_at', '<=', now)
      .execute();
    const conflicts = await findConflicts(bus, tx, { wanted, comparison });
    if (conflicts.length > 0) throw refusal(conflicts);
    const { worker, globs, holder } = wanted;
    const reservedAt = Math.max(now, (await lastReservedAt(bus, tx, wanted)) + 1);
    const expiresAt = now + wanted.ttlMs;
    const terms = {
      exclusive: wanted.exclusive ? 1 : 0,
      reserved_at: reservedAt,
      expires_at: expiresAt,
      holder: holder.endsWithSession ? holder.id : null,
      holder_reserved_at: reservedAt,
    };
    await tx
      .insertInto('bus_reservations')
      .values(globs.map((glob) => ({ bus: bus.name, worker, glob, ...terms })))
      .onConflict((conflict) => conflict.columns(['bus', 'worker', 'glob']).doUpdateSet(terms))
      .execute();
    return expiresAt;
  });
}

/** Two reservations of one millisecond must differ: by this moment it is known whose one is. */
async function lastReservedAt(bus: Bus, tx: Kysely<BusTables>, wanted: Reservation): Promise<number> {
  const { last } = await tx
    .selectFrom('bus_reservations')
    .select((eb) => eb.fn.max('reserved_at').as('last'))
    .where('bus', '=', bus.name)
    .where('worker', '=', wanted.worker)
    .where('glob', 'in', wanted.globs)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
}

interface Conflict {
  readonly glob: string;
  readonly heldGlob: string;
  readonly worker: string;
  readonly exclusive: boolean;
  readonly expiresAt: number;
}

interface Comparing {
  readonly wanted: Reservation;
  readonly comparison: GlobOverlap;
}

/** What stands against what is wanted, if they overlap; the first to expire first. */
function heldByOthers({ name }: Bus, db: Kysely<BusTables>, { worker, exclusive }: Reservation) {
  return db
    .selectFrom('bus_reservations')
    .selectAll()
    .where('bus', '=', name)
    .where('worker', '!=', worker)
    .$if(!exclusive, (query) => query.where('exclusive', '=', 1))
    .orderBy('expires_at')
    .execute();
}

/**
 * What is reserved is compared before the transaction, with turns for others: inside of it nobody else could write.
 * @returns whether something is in the way
 */
async function isHeldAhead(bus: Bus, { wanted, comparison }: Comparing): Promise<boolean> {
  let since = performance.now();
  let isHeld = false;
  for (const row of await heldByOthers(bus, bus.db, wanted)) {
    for (const glob of wanted.globs) {
      if (comparison.overlap(glob, row.glob)) isHeld = true;
      if (performance.now() - since < STRETCH_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  }
  return isHeld;
}

async function findConflicts(
  bus: Bus,
  tx: Kysely<BusTables>,
  { wanted, comparison }: Comparing,
): Promise<Conflict[]> {
  const held = await heldByOthers(bus, tx, wanted);
  return held.flatMap((row) =>
    wanted.globs
      .filter((glob) => comparison.overlap(glob, row.glob))
      .map((glob) => ({
        glob,
        heldGlob: row.glob,
        worker: row.worker,
        exclusive: row.exclusive === 1,
        expiresAt: row.expires_at,
      })),
  );
}

function refusal(conflicts: readonly Conflict[]): ToolError {
  const shown = conflicts.slice(0, SHOWN);
  const lines = shown.map(
    ({ glob, heldGlob, worker, exclusive, expiresAt }) =>
      `- ${glob} overlaps ${heldGlob}, ${exclusive ? 'reserved' : 'shared'} by ${worker} until ${toMoment(expiresAt)}`,
  );
  const more = conflicts.length > shown.length ? [`- and ${conflicts.length - shown.length} more`] : [];
  const text = [
    'Nothing was reserved, others hold overlapping files:',
    ...lines,
    ...more,
    'Work elsewhere, ask the holder with send_message, or try again when it has expired.',
  ].join('\n');
  const facts = shown.map((each) => ({ ...each, expiresAt: toMoment(each.expiresAt) }));
  return new ToolError('NEXUS_CONFLICT', text, { detail: { conflicts: facts, total: conflicts.length } });
}
