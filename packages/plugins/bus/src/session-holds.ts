import type { CallContext, SessionScope } from '@nexus/plugin-sdk';
import type { Bus } from './bus.ts';
import { readNow } from './read-now.ts';
import { releaseReserved } from './reservations/release-globs.ts';
import type { Reserved } from './reservations/reserve-globs.ts';
import { endLease } from './tasks/end-lease.ts';
import { findLive } from './tasks/lease.ts';
import { toLeased } from './tasks/task-row.ts';

/** A command is a session of its own that is over with its answer: what it takes is for whoever gave it. */
const COMMANDS = 'nexus-cli';

interface Held {
  readonly leases: Set<string>;
  reserved: readonly Reserved[];
}

/** What the sessions of this process hold. A server that takes over knows of none, and their times run out. */
export interface SessionHolds {
  addLease(context: HoldingCall, leaseId: string): void;
  /** In place of what the session reserved of the same globs before. */
  addReserved(context: HoldingCall, reserved: Reserved): void;
  /** Who holds a lease is shown its id; to others it would be a key to another's task. */
  hasLease(session: SessionScope, leaseId: string | null): boolean;
  dropLease(session: SessionScope, leaseId: string): void;
  /** Those given, or all of the worker. */
  dropGlobs(session: SessionScope, worker: string, globs: readonly string[] | undefined): void;
}

export interface HoldingCall extends Pick<CallContext, 'session' | 'client' | 'run' | 'host'> {
  /** As its caller asked for. */
  readonly outlivesSession: boolean;
}

export function createSessionHolds(bus: () => Bus): SessionHolds {
  const kept = new WeakMap<SessionScope, { readonly ends: Held; readonly stays: Held }>();

  function heldBy({ session, client, run, host, outlivesSession }: HoldingCall): Held {
    const found = kept.get(session) ?? { ends: createHeld(), stays: createHeld() };
    if (!kept.has(session)) {
      kept.set(session, found);
      // Where the server ends, its sessions go on at the next one.
      session.onEnd(() => (host.signal.aborted ? undefined : giveBack(bus(), found.ends)));
    }
    // A run is no session: it waits, and goes on in another process.
    const stays = outlivesSession || run !== undefined || client.name === COMMANDS;
    return stays ? found.stays : found.ends;
  }

  function dropGlobs(session: SessionScope, worker: string, globs: readonly string[] | undefined) {
    const found = kept.get(session);
    if (!found) return;
    for (const held of [found.ends, found.stays]) held.reserved = without(held.reserved, worker, globs);
  }

  return {
    addLease: (context, leaseId) => void heldBy(context).leases.add(leaseId),
    addReserved(context, reserved) {
      dropGlobs(context.session, reserved.worker, reserved.globs);
      const held = heldBy(context);
      held.reserved = [...held.reserved, reserved];
    },
    hasLease(session, leaseId) {
      const found = kept.get(session);
      if (leaseId === null || !found) return false;
      return found.ends.leases.has(leaseId) || found.stays.leases.has(leaseId);
    },
    dropLease(session, leaseId) {
      const found = kept.get(session);
      found?.ends.leases.delete(leaseId);
      found?.stays.leases.delete(leaseId);
    },
    dropGlobs,
  };
}

function createHeld(): Held {
  return { leases: new Set(), reserved: [] };
}

function without(
  reserved: readonly Reserved[],
  worker: string,
  globs: readonly string[] | undefined,
): Reserved[] {
  return reserved.flatMap((each) => {
    if (each.worker !== worker) return [each];
    const left = globs === undefined ? [] : each.globs.filter((glob) => !globs.includes(glob));
    return left.length > 0 ? [{ ...each, globs: left }] : [];
  });
}

async function giveBack(bus: Bus, { leases, reserved }: Held): Promise<void> {
  for (const leaseId of leases) {
    const task = await findLive(bus, leaseId);
    const reason = 'the session that held the lease ended';
    if (task) await endLease(bus, toLeased(task), { outcome: 'released', at: await readNow(bus), reason });
  }
  for (const each of reserved) await releaseReserved(bus, each);
}
