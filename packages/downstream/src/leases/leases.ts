import { randomUUID } from 'node:crypto';
import type { Interactive } from '@nexus/client';
import type { ListAddress, OfferedServer } from '../server-address.ts';
import { leaseOn } from './connection-lease.ts';
import type { Lease } from './lease.ts';
import type { Link, LinkStatus } from './link.ts';

/** Connections by their settings: made for the first who needs one, ended soon after the last has gone. */
export interface Leases {
  take(server: OfferedServer, sessionId: string): Lease;
  /**
   * A lease on a connection that nobody else has, and that ends with it.
   * @param interactive present where a person can authorise in a browser now
   */
  apart(server: OfferedServer, interactive?: Interactive): Lease;
  /** The connection that a lease would be on, where there is one. */
  find(server: OfferedServer, sessionId: string): LinkStatus | undefined;
  /** Why it could not be reached the last time, where no connection stands since. */
  lastFailure(server: OfferedServer, sessionId: string): string | undefined;
  all(): readonly LinkStatus[];
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface LeasesOptions {
  createLink(server: OfferedServer, interactive?: Interactive): Link;
  /** Whether the definition of a tool at this address is another than the pinned one. */
  isPending(address: ListAddress, tool: string): boolean;
}

/** So long a connection that nobody holds is kept for the next: calls by `use_tool` come one by one. */
const LINGER_MS = 10_000;
/** Servers of which is known why they could not be reached. */
const MAX_FAILURES = 1_000;

interface Entry {
  readonly link: Link;
  leases: number;
  timer: NodeJS.Timeout | undefined;
}

export function createLeases({ createLink, isPending }: LeasesOptions): Leases {
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();
  const failures = new Map<string, string>();
  let isClosed = false;

  function drop(key: string, { link }: Entry, reason = link.lastError): void {
    entries.delete(key);
    failures.delete(key);
    if (reason !== undefined) failures.set(key, reason);
    for (const oldest of [...failures.keys()].slice(0, -MAX_FAILURES)) failures.delete(oldest);
    const closed = link.supervisor.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function newEntry(key: string, link: Link): Entry {
    const entry: Entry = { link, leases: 0, timer: undefined };
    entries.set(key, entry);
    // Nothing may start after the end: who still asks is told that the connection was closed.
    if (isClosed) drop(key, entry);
    return entry;
  }

  /** @returns gives the lease back, and says whether it was the last on a connection that stands */
  function hold(key: string, entry: Entry): () => boolean {
    entry.leases += 1;
    clearTimeout(entry.timer);
    let isOurs = true;
    return () => {
      const isLast = isOurs && entry.leases === 1 && entries.get(key) === entry;
      if (isOurs) entry.leases -= 1;
      isOurs = false;
      return isLast;
    };
  }

  return {
    take(server, sessionId) {
      const key = keyOf(server, sessionId);
      const entry = entries.get(key) ?? newEntry(key, createLink(server));
      const release = hold(key, entry);
      return leaseOn(entry.link, {
        server,
        sessionId,
        isPending,
        giveUp(reason) {
          if (release()) drop(key, entry, reason);
        },
        dispose() {
          if (!release()) return;
          entry.timer = setTimeout(() => drop(key, entry), LINGER_MS);
          entry.timer.unref();
        },
      });
    },
    apart(server, interactive) {
      const sessionId = randomUUID();
      const key = `apart ${sessionId}`;
      const entry = newEntry(key, createLink(server, interactive));
      const release = hold(key, entry);
      const end = () => {
        if (!release()) return;
        drop(key, entry);
        failures.delete(key);
      };
      return leaseOn(entry.link, { server, sessionId, isPending, giveUp: end, dispose: end });
    },
    find: (server, sessionId) => entries.get(keyOf(server, sessionId))?.link,
    lastFailure: (server, sessionId) => failures.get(keyOf(server, sessionId)),
    all: () => [...entries.values()].map(({ link }) => link),
    async close() {
      isClosed = true;
      for (const [key, entry] of entries) {
        clearTimeout(entry.timer);
        drop(key, entry);
      }
      await Promise.allSettled([...closing]);
    },
  };
}

function keyOf({ connectionKey, settings }: OfferedServer, sessionId: string): string {
  return settings.isolation === 'session' ? `${connectionKey} ${sessionId}` : connectionKey;
}
