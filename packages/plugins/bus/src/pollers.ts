import type { CallContext, SessionScope } from '@nexus/plugin-sdk';
import type { Bus } from './bus.ts';
import { readNow } from './read-now.ts';

/** A session counts as there for this long after a poll, where its server died and could not say that it ended. */
const THERE_MS = 120_000;
/** How often a poller's moment is written, to spare a disk write per poll. */
const GRAIN_MS = 30_000;

/** Who polls under which name, on record for all servers of the bus. */
export interface Pollers {
  /** @returns whether another session that is still there polled under this name before */
  isShared(name: string, caller: Pick<CallContext, 'session' | 'host'>): Promise<boolean>;
}

export function createPollers(bus: () => Bus): Pollers {
  /** The names whose record ends with a session. */
  const kept = new WeakMap<SessionScope, Set<string>>();

  function write({ db, name }: Bus, worker: string) {
    return db.updateTable('bus_workers').where('bus', '=', name).where('name', '=', worker);
  }

  function forgetAtEnd(worker: string, { session, host }: Pick<CallContext, 'session' | 'host'>): void {
    const names = kept.get(session) ?? new Set();
    kept.set(session, names);
    if (names.has(worker)) return;
    names.add(worker);
    session.onEnd(async () => {
      // Where the server ends, its sessions go on at the next one.
      if (host.signal.aborted) return;
      await write(bus(), worker).set({ poller: null }).where('poller', '=', session.id).execute();
    });
  }

  return {
    async isShared(worker, caller) {
      const { id } = caller.session;
      const before = await bus()
        .db.selectFrom('bus_workers')
        .select(['poller', 'polled_at'])
        .where('bus', '=', bus().name)
        .where('name', '=', worker)
        .executeTakeFirst();
      const now = await readNow(bus());
      const agoMs = now - (before?.polled_at ?? 0);
      if (before?.poller === id && agoMs < GRAIN_MS) return false;
      await write(bus(), worker).set({ poller: id, polled_at: now }).execute();
      // Where the session has ended, this is called back at once.
      forgetAtEnd(worker, caller);
      return before?.poller !== id && before?.poller !== null && before !== undefined && agoMs < THERE_MS;
    },
  };
}
