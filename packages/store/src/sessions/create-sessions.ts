import type { Log, SessionScope, Sessions, Store } from '@nexus/plugin-sdk';
import type { Kysely, Selectable } from 'kysely';
import { migrations, type SessionTables } from './migrations.ts';
import { createServerName } from './server-name.ts';

/** A session finds its next server within a second; on a machine that is busy with just that, within some. */
const ABSENT_MS = 10_000;

/** Past the moment by which an absent session would be over, since clocks differ: then it surely is. */
const LATE_MS = 500;

type Present = Selectable<SessionTables['sessions_present']>;

export interface SessionsOptions {
  readonly store: Pick<Store, 'open' | 'hold' | 'isHeld' | 'readNow'>;
  readonly log: Log;
  /** A session that is connected here now. */
  find(id: string): SessionScope | undefined;
  /** Fires when this server stops: its sessions go on at the next one. */
  readonly shutdown: AbortSignal;
}

export interface RunningSessions extends Sessions {
  /** Another server served the session before: what is on record of it is this server's now. */
  resumed(session: SessionScope): void;
  /** Waits for sessions that are ending. */
  close(): Promise<void>;
}

/** Reads and writes nothing before the first session is to be put on record, or was served elsewhere. */
export function createSessions({ store, log, find, shutdown }: SessionsOptions): RunningSessions {
  const here = new Map<string, SessionScope>();
  const entered = new WeakMap<SessionScope, Promise<void>>();
  const ending = new Set<Promise<void>>();
  const listeners: ((id: string) => void | Promise<void>)[] = [];
  /** The next look for those that are absent, which no caller need make. */
  let planned: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;
  const open = () => store.open<SessionTables>('sessions', migrations);
  const self = createServerName(store, {
    async renamed(server, former) {
      const db = await open();
      for (const id of here.keys()) {
        const row = { id, server, absent_since: null };
        // One that has moved since is another's.
        await db
          .insertInto('sessions_present')
          .values(row)
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet(row).where('sessions_present.server', '=', former),
          )
          .execute();
      }
    },
    over: shutdown,
  });

  async function enter(session: SessionScope): Promise<void> {
    const { id } = session;
    const before = here.get(id);
    here.set(id, session);
    try {
      const row = { id, server: await self.stand(), absent_since: null };
      const db = await open();
      await db
        .insertInto('sessions_present')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    } catch (error) {
      if (before) here.set(id, before);
      else here.delete(id);
      throw error;
    }
    session.onEnd(() => leave(session));
  }

  async function record(session: SessionScope): Promise<void> {
    const known = entered.get(session);
    if (known) return known.then(async () => void (await self.stand()));
    const entering = enter(session);
    entered.set(session, entering);
    entering.catch(() => entered.delete(session));
    return entering;
  }

  function leave(session: SessionScope): Promise<void> | undefined {
    const { id } = session;
    // One that came back meanwhile has its place.
    if (here.get(id) !== session) return undefined;
    here.delete(id);
    return shutdown.aborted ? undefined : tell(() => forget(id));
  }

  /** Work that ends in telling listeners of sessions that are over. */
  function tell(work: () => Promise<void>): Promise<void> {
    const end = work()
      .catch((error: unknown) => log.warn('what a session held could not be given back', { err: error }))
      .finally(() => ending.delete(end));
    ending.add(end);
    return end;
  }

  async function forget(id: string): Promise<void> {
    const db = await open();
    const gone = await db
      .deleteFrom('sessions_present')
      .where('id', '=', id)
      .where('server', '=', self.current ?? '')
      .returning('id')
      .executeTakeFirst();
    // It may be at another server by now.
    if (gone) await giveBack(id);
  }

  async function giveBack(id: string): Promise<void> {
    await Promise.all(listeners.map((listener) => listener(id)));
  }

  /** Whether the session of the row is there, or may still come back. */
  async function isThere(db: Kysely<SessionTables>, row: Present, isServerThere: boolean): Promise<boolean> {
    const { id, server, absent_since: since } = row;
    const isOurs = server === self.current;
    if (isOurs ? here.has(id) || shutdown.aborted : isServerThere) return true;
    const found = find(id);
    if (found && !isOurs) {
      await record(found);
      return true;
    }
    const absent = db.updateTable('sessions_present').where('id', '=', id).where('server', '=', server);
    const now = await store.readNow(db);
    if (since === null) {
      await absent.set({ absent_since: now }).where('absent_since', 'is', null).execute();
      planLook(ABSENT_MS);
      return true;
    }
    const leftMs = since + ABSENT_MS - now;
    if (leftMs > 0) {
      planLook(leftMs);
      return true;
    }
    const gone = await db
      .deleteFrom('sessions_present')
      .where('id', '=', id)
      .where('server', '=', server)
      .returning('id')
      .executeTakeFirst();
    return gone === undefined;
  }

  /** @param inMs when the first that is absent by now is over */
  function planLook(inMs: number): void {
    const at = performance.now() + inMs + LATE_MS;
    if (shutdown.aborted || (planned && planned.at <= at)) return;
    clearTimeout(planned?.timer);
    const timer = setTimeout(() => {
      planned = undefined;
      if (shutdown.aborted) return;
      void tell(async () => {
        const { gone } = await look();
        await Promise.all(gone.map(giveBack));
      });
    }, inMs + LATE_MS).unref();
    planned = { at, timer };
  }

  /** All that are on record: who is there, and who is no more, by this look. */
  async function look(): Promise<{ readonly there: ReadonlySet<string>; readonly gone: readonly string[] }> {
    const db = await open();
    const rows = await db.selectFrom('sessions_present').selectAll().execute();
    const servers = new Map<string, boolean>();
    const there = new Set<string>();
    for (const row of rows) {
      const { server } = row;
      const isServerThere = servers.get(server) ?? (server === self.current || (await self.isThere(server)));
      servers.set(server, isServerThere);
      if (await isThere(db, row, isServerThere)) there.add(row.id);
    }
    return { there, gone: rows.flatMap(({ id }) => (there.has(id) ? [] : id)) };
  }

  return {
    record,
    async over(ids) {
      if (ids.length === 0) return [];
      const { there } = await look();
      return ids.filter((id) => !there.has(id));
    },
    onOver: (listener) => void listeners.push(listener),
    resumed(session) {
      const take = async () => {
        const db = await open();
        const found = await db
          .selectFrom('sessions_present')
          .select('id')
          .where('id', '=', session.id)
          .executeTakeFirst();
        if (found) await record(session);
      };
      take().catch((error: unknown) => {
        // The next look for it finds it here.
        if (!shutdown.aborted) log.warn('that a session came here is not on record yet', { err: error });
      });
    },
    async close() {
      clearTimeout(planned?.timer);
      await Promise.allSettled(ending);
      await self.release();
    },
  };
}
