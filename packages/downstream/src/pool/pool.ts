import type { Link } from './link.ts';

/** What a lease is taken on. */
export interface PoolKey {
  /** Of the connection's settings. */
  readonly connectionKey: string;
  readonly isolation: 'shared' | 'session';
}

/** The right to use a connection; disposed of, the connection is kept a little for whoever comes next. */
export interface Lease extends Disposable {
  readonly link: Link;
  /** Ends the connection at once if nobody else holds it. */
  giveUp(): void;
}

/** Connections by their settings: made for the first who needs one, ended soon after the last has gone. */
export interface Pool<Key extends PoolKey> {
  lease(server: Key, sessionId: string): Lease;
  /** The link that `lease` would give, where there is one. */
  find(server: Key, sessionId: string): Link | undefined;
  links(): readonly Link[];
  /** Ends every connection. */
  close(): Promise<void>;
}

/** So long a connection that nobody holds is kept for the next: calls by `use_tool` come one by one. */
const LINGER_MS = 10_000;

interface Entry {
  readonly link: Link;
  leases: number;
  timer: NodeJS.Timeout | undefined;
}

export function createPool<Key extends PoolKey>(create: (server: Key) => Link): Pool<Key> {
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();
  let isClosed = false;

  function drop(key: string, { link }: Entry): void {
    entries.delete(key);
    const closed = link.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    lease(server, sessionId) {
      const key = keyOf(server, sessionId);
      let entry = entries.get(key);
      if (!entry) {
        entry = { link: create(server), leases: 0, timer: undefined };
        entries.set(key, entry);
        // Nothing may start after the end: who still asks is told that the connection was closed.
        if (isClosed) drop(key, entry);
      }
      const held = entry;
      held.leases += 1;
      clearTimeout(held.timer);
      let isHeld = true;
      const release = () => {
        const isLast = isHeld && held.leases === 1 && entries.get(key) === held;
        if (isHeld) held.leases -= 1;
        isHeld = false;
        return isLast;
      };
      return {
        link: held.link,
        giveUp() {
          if (release()) drop(key, held);
        },
        [Symbol.dispose]() {
          if (!release()) return;
          held.timer = setTimeout(() => drop(key, held), LINGER_MS);
          held.timer.unref();
        },
      };
    },
    find: (server, sessionId) => entries.get(keyOf(server, sessionId))?.link,
    links: () => [...entries.values()].map(({ link }) => link),
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

function keyOf({ connectionKey, isolation }: PoolKey, sessionId: string): string {
  return isolation === 'session' ? `${connectionKey} ${sessionId}` : connectionKey;
}
