import type { CallContext, SessionScope, Sessions } from '@nexus/plugin-sdk';
import type { Bus } from './bus.ts';
import { readNow } from './read-now.ts';
import { type Caller, callerId, isSession } from './session-holds.ts';

/** How often a poller's moment is written, which servers of a version before go by, to spare a disk write per poll. */
const GRAIN_MS = 30_000;

/** Who goes by which worker's name. */
export interface Pollers {
  /**
   * Who polls goes by the name from now on, for all servers of the bus.
   * @returns whether another session that is still there polled under it before
   */
  polls(name: string, caller: Caller & Pick<CallContext, 'host'>): Promise<boolean>;
  /**
   * The caller says that the name is his, or that of one whom he sends: no poll of that one is told of it.
   * @returns as `polls`
   */
  registers(name: string, caller: Caller): Promise<boolean>;
  /** Whether the caller's session polled or registered under the name at this server. */
  goesBy(name: string, caller: Caller): boolean;
}

export function createPollers(bus: () => Bus, sessions: Sessions): Pollers {
  const names = new WeakMap<SessionScope, Set<string>>();
  /** The names whose record ends with a session. */
  const kept = new WeakMap<SessionScope, Set<string>>();

  function read({ db, name }: Bus, worker: string) {
    return db
      .selectFrom('bus_workers')
      .select(['poller', 'polled_at'])
      .where('bus', '=', name)
      .where('name', '=', worker)
      .executeTakeFirst();
  }

  function write({ db, name }: Bus, worker: string) {
    return db.updateTable('bus_workers').where('bus', '=', name).where('name', '=', worker);
  }

  /** @returns whether the name is new there */
  function add(to: WeakMap<SessionScope, Set<string>>, session: SessionScope, name: string): boolean {
    const known = to.get(session) ?? new Set();
    to.set(session, known);
    return known.size < known.add(name).size;
  }

  function forgetAtEnd(worker: string, { session, host }: Pick<CallContext, 'session' | 'host'>): void {
    if (!add(kept, session, worker)) return;
    session.onEnd(async () => {
      // Where the server ends, its sessions go on at the next one.
      if (host.signal.aborted) return;
      await write(bus(), worker).set({ poller: null }).where('poller', '=', session.id).execute();
    });
  }

  async function isThere(poller: string | null | undefined, self: string): Promise<boolean> {
    if (poller === null || poller === undefined || poller === self) return false;
    return (await sessions.over([poller])).length === 0;
  }

  return {
    async polls(worker, caller) {
      add(names, caller.session, worker);
      const id = callerId(caller);
      const before = await read(bus(), worker);
      const now = await readNow(bus());
      if (before?.poller === id && now - (before.polled_at ?? 0) < GRAIN_MS) return false;
      if (isSession(caller)) await sessions.record(caller.session);
      await write(bus(), worker).set({ poller: id, polled_at: now }).execute();
      // Where the session has ended, this is called back at once.
      if (isSession(caller)) forgetAtEnd(worker, caller);
      return isThere(before?.poller, id);
    },
    async registers(worker, caller) {
      add(names, caller.session, worker);
      return isThere((await read(bus(), worker))?.poller, callerId(caller));
    },
    goesBy: (worker, { session }) => names.get(session)?.has(worker) === true,
  };
}

/** What the second session under a name is told. */
export function sharedNote(name: string): string {
  return `Another session polls as "${name}", too: each gets a part of its tasks and messages. Take a name of your own.`;
}
