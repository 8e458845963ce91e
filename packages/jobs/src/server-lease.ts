import { hostname } from 'node:os';
import type { Database } from './database.ts';
import type { ServerRow } from './tables.ts';

export const HEARTBEAT_MS = 5_000;
/** A server that has not been heard of for so long is dead, wherever it runs. */
export const LEASE_MS = 30_000;

/** What makes jobs this server's own, as long as it is renewed. */
export interface ServerLease {
  readonly serverId: string;
  /** Renews it, unless that was just done. */
  hold(db: Database): Promise<void>;
  /** Whether there may be something to release. */
  isHeld(): boolean;
  release(db: Database): Promise<void>;
}

export function createServerLease(serverId: string): ServerLease {
  let renewedAt = Number.NEGATIVE_INFINITY;
  return {
    serverId,
    async hold(db) {
      const now = Date.now();
      if (Math.abs(now - renewedAt) < HEARTBEAT_MS / 2) return;
      const row = { id: serverId, host: hostname(), pid: process.pid, heartbeat_at: now };
      await db
        .insertInto('jobs_servers')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeat_at: now }))
        .execute();
      renewedAt = now;
    },
    isHeld: () => renewedAt > 0,
    async release(db) {
      await db.deleteFrom('jobs_servers').where('id', '=', serverId).execute();
    },
  };
}

/** Ids of the servers whose jobs stay theirs. */
export async function livingServers(db: Database): Promise<Set<string>> {
  const servers = await db.selectFrom('jobs_servers').selectAll().execute();
  return new Set(servers.filter(isAlive).map(({ id }) => id));
}

export async function forgetDeadServers(db: Database): Promise<void> {
  await db
    .deleteFrom('jobs_servers')
    .where('heartbeat_at', '<', Date.now() - LEASE_MS)
    .execute();
}

/** On this machine a process that is gone is dead at once: its jobs need not wait for the lease. */
function isAlive({ host, pid, heartbeat_at }: ServerRow): boolean {
  if (Date.now() - heartbeat_at >= LEASE_MS) return false;
  return host !== hostname() || isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
