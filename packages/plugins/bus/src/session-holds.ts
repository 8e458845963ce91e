import type { CallContext, Log, Sessions } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import type { Bus } from './bus.ts';
import { readNow } from './read-now.ts';
import { endLease } from './tasks/end-lease.ts';
import { type TaskRow, toLeased } from './tasks/task-row.ts';

/** A command is a session of its own that is over with its answer: what it takes is for whoever gave it. */
const COMMANDS = 'nexus-cli';

/** Whose a lease or a reservation is, as its row has it. */
export interface Holder {
  /** As `callerId` names it. */
  readonly id: string;
  readonly endsWithSession: boolean;
}

/** Who calls. */
export type Caller = Pick<CallContext, 'session' | 'client' | 'run'>;

export interface HoldingCall extends Caller {
  /** As its caller asked for. */
  readonly outlivesSession: boolean;
}

/**
 * By which what somebody holds is known as his: a session by its id, which it keeps at whichever server it is. A run
 * goes on in another process, and one command with what another has taken.
 */
export function callerId({ session, client, run }: Caller): string {
  if (run) return `run ${run.id}`;
  return client.name === COMMANDS ? COMMANDS : session.id;
}

/** Whether the caller is a session, which others see the end of. */
export function isSession({ client, run }: Omit<Caller, 'session'>): boolean {
  return run === undefined && client.name !== COMMANDS;
}

/** What sessions hold, at whichever server they are. */
export interface SessionHolds {
  /** Of what a call is about to take: from then on every server knows when its session is over. */
  holderOf(call: HoldingCall): Promise<Holder>;
  /** Gives back what the session held, which is over. */
  giveBack(session: string): Promise<void>;
  /** Gives back what sessions hold that are over by now. */
  tend(): Promise<void>;
  /** As `tend`, where nobody has for as long as waiting polls wait between two looks. Never rejects. */
  tendNowAndThen(): Promise<void>;
}

export function createSessionHolds(
  bus: () => Bus,
  { sessions, log }: { readonly sessions: Sessions; readonly log: Log },
): SessionHolds {
  let tending: Promise<void> | undefined;
  let tendedAt = Number.NEGATIVE_INFINITY;

  async function tendOnce(): Promise<void> {
    for (const id of await sessions.over(await findHolders(bus()))) await giveBack(bus(), id);
  }

  function tend(): Promise<void> {
    if (tending) return tending;
    tendedAt = performance.now();
    tending = tendOnce().finally(() => {
      tending = undefined;
    });
    return tending;
  }

  return {
    async holderOf({ outlivesSession, ...caller }) {
      const endsWithSession = !outlivesSession && isSession(caller);
      if (endsWithSession) await sessions.record(caller.session);
      return { id: callerId(caller), endsWithSession };
    },
    giveBack: (session) => giveBack(bus(), session),
    tend,
    async tendNowAndThen() {
      const isDue = performance.now() - tendedAt >= bus().options.lookAgainMs;
      await (isDue ? tend() : tending)?.catch((error: unknown) => {
        log.debug('what sessions that are over hold could not be looked for', { err: error });
      });
    },
  };
}

/** Who holds a lease is shown its id, and may end it. */
export function isHolder(
  caller: Caller,
  { holder, holder_lease, lease_id }: Pick<TaskRow, 'holder' | 'holder_lease' | 'lease_id'>,
): boolean {
  return lease_id !== null && holder_lease === lease_id && holder === callerId(caller);
}

/** Tasks under a lease that ends with its session. One that a server of a version before gave out has no holder. */
function leasesOf({ db, name, clock }: Bus) {
  return db
    .selectFrom('bus_tasks')
    .where('bus', '=', name)
    .where(sql<boolean>`status = 'leased'`)
    .where('lease_expires_at', '>', clock.now)
    .whereRef('holder_lease', '=', 'lease_id')
    .where('holder_stays', '=', 0);
}

async function findHolders(bus: Bus): Promise<string[]> {
  const rows = await leasesOf(bus)
    .select('holder')
    .union(
      bus.db
        .selectFrom('bus_reservations')
        .select('holder')
        .where('bus', '=', bus.name)
        .where('holder', 'is not', null),
    )
    .execute();
  return rows.flatMap(({ holder }) => holder ?? []);
}

async function giveBack(bus: Bus, session: string): Promise<void> {
  const reason = 'the session that held the lease ended';
  for (const row of await leasesOf(bus).selectAll().where('holder', '=', session).execute()) {
    await endLease(bus, toLeased(row), { outcome: 'released', at: await readNow(bus), reason });
  }
  await bus.db
    .deleteFrom('bus_reservations')
    .where('bus', '=', bus.name)
    .where('holder', '=', session)
    .whereRef('holder_reserved_at', '=', 'reserved_at')
    .execute();
}
