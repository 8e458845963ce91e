import type { Hold, Log } from '@nexus/plugin-sdk';
import type { Timer } from '../ground.ts';
import { takeDeathBack } from '../record/families.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { dismiss, enrol, type OtherOwner, ownedRuns, renew } from '../record/workers.ts';

const HEARTBEAT_MS = 5_000;

/** What others know this process by while it has runs. */
export interface Presence {
  /** As runs name it; made known with the first run. */
  join(): Promise<string>;
  /** The same once the others have been asked: what is claimed by a name that they gave up is nobody's at once. */
  joinSurely(): Promise<string>;
  /** As it is known now; undefined before the first run. */
  readonly id: string | undefined;
  /** A run was taken from this process: it asks at once whether the others still count on it, and says that it lives. */
  doubt(): void;
  /** Takes its leave, so that nobody has to find out. */
  leave(): Promise<void>;
}

export interface PresenceOptions {
  readonly on: RunDatabase;
  readonly log: Log;
  /** Whether there is anything to renew for. */
  isNeeded(): boolean;
  /** The runs that are still this process's; `undefined` when others took it for dead and took all. */
  onRenewed(owned: readonly { id: string; epoch: number }[] | undefined): Promise<void>;
}

/** The name that is free at once when the process of this id ends, however it does. */
function presenceName(id: string): string {
  return `runs-worker-${id}`;
}

/** Whether the process of this id is there, as far as the store tells now. */
export function isPresent({ ask, store }: RunDatabase, id: string): Promise<boolean> {
  return ask(() => store.isHeld(presenceName(id)));
}

/** How long everybody has to come back and say so after the store was away. */
const BACK_MS = 10_000;
/** A connection that broke is opened again sooner. */
const DOUBT_MS = 500;

/** Whether a process that has runs is to be left them. A living one must not lose them, so it is asked with doubt. */
export async function mayBeAlive(
  on: RunDatabase,
  { owner, isRecent, isComingBack }: Omit<OtherOwner, 'seenAt'>,
): Promise<boolean> {
  // While the store was away nobody could say that it lives.
  if (isComingBack || on.steadyMs < BACK_MS) return true;
  if (!isRecent) return false;
  if (await isPresent(on, owner)) return true;
  // A lock on a file goes with its process alone, one on Postgres with its connection too.
  if (on.store.dialect === 'sqlite') return false;
  await new Promise<void>((resolve) => on.ground.after(DOUBT_MS, resolve).unref());
  return isPresent(on, owner);
}

/**
 * Whether a process that is given up may live all the same. One that says nothing for a whole lease has had its time;
 * one whose connection to Postgres broke may be about to come back; a lock on a file goes with its process alone.
 */
export function mayComeBack({ store }: RunDatabase, { isRecent }: Pick<OtherOwner, 'isRecent'>): boolean {
  return isRecent && store.dialect === 'postgres';
}

export function createPresence({ on, log, isNeeded, onRenewed }: PresenceOptions): Presence {
  let current: { id: string; hold: Hold } | undefined;
  let joining: Promise<string> | undefined;
  let beating: Promise<void> | undefined;
  let isBeatWanted = false;
  /** Something was taken from this process: it may be taken for dead, also where it has nothing left. */
  let isDoubted = false;
  let timer: Timer | undefined;
  let renewedAt = 0;

  async function enter(): Promise<string> {
    // Another name each time: one whose answer was lost stays taken until the server misses the connection.
    const { id, hold } = await on.ask(async () => {
      const name = on.ground.uuid();
      return { id: name, hold: await on.store.hold(presenceName(name)) };
    });
    if (!hold) throw new Error(`the name of worker ${id} is taken`);
    await enrol(on, id);
    keep(id, hold);
    renewedAt = on.ground.now();
    if (!timer) {
      timer = on.ground.every(HEARTBEAT_MS, () => void beat());
      timer.unref();
    }
    return id;
  }

  function keep(id: string, hold: Hold): void {
    current = { id, hold };
    hold.lost.addEventListener('abort', () => void beat(), { once: true });
  }

  /** One at a time: it waits while the store is away. What calls for one meanwhile has one of its own. */
  function beat(): Promise<void> {
    isBeatWanted = true;
    beating ??= (async () => {
      while (isBeatWanted) {
        isBeatWanted = false;
        await beatOnce();
      }
    })()
      .catch((error: unknown) => log.warn('this process’s runs could not be renewed', { err: error }))
      .finally(() => {
        beating = undefined;
      });
    return beating;
  }

  async function beatOnce(): Promise<void> {
    const id = current?.id;
    if (id === undefined) return;
    // A run may be this process's on record, and in none of its hands.
    if (!isDoubted && !isNeeded() && (await ownedRuns(on, id)).length === 0) return;
    isDoubted = false;
    if (await renewed(id)) await onRenewed(await ownedRuns(on, id));
    else await forget(id);
  }

  async function renewed(id: string): Promise<boolean> {
    await holdAgain(id);
    const isKnown = await renew(on, id);
    renewedAt = on.ground.now();
    return isKnown;
  }

  /** Where the name is taken, it is by this process's own connection that broke; the next heartbeat tries again. */
  async function holdAgain(id: string): Promise<void> {
    if (current?.id !== id || !current.hold.lost.aborted) return;
    const hold = await on.ask(() => on.store.hold(presenceName(id)));
    if (current?.id === id && hold) keep(id, hold);
    else await hold?.release();
  }

  /** Others took this process for dead: what it had is theirs, and it comes back under another name. */
  async function forget(id: string): Promise<void> {
    if (current?.id !== id) return;
    const { hold } = current;
    current = undefined;
    joining = undefined;
    log.warn('this process was taken for dead: its runs are others’ now', { worker: id });
    await hold.release().catch(() => {});
    await takeDeathBack(on, id);
    await onRenewed(undefined);
  }

  /** Whoever comes meanwhile waits for the same. Where it fails, the next to come tries again. */
  function joined(): Promise<string> {
    joining ??= enter().catch((error: unknown) => {
      joining = undefined;
      throw error;
    });
    return joining;
  }

  async function sure(id: string): Promise<string> {
    if (await renewed(id)) return id;
    await forget(id);
    return joined();
  }

  return {
    get id() {
      return current?.id;
    },
    doubt() {
      isDoubted = true;
      void beat();
    },
    async join() {
      const id = await joined();
      // Without runs nothing was renewed: what begins now must not look long forgotten.
      const isFresh = on.ground.now() - renewedAt < HEARTBEAT_MS && !current?.hold.lost.aborted;
      return isFresh ? id : sure(id);
    },
    async joinSurely() {
      return sure(await joined());
    },
    async leave() {
      on.ground.clear(timer);
      const gone = current;
      current = undefined;
      if (!gone) return;
      await dismiss(on, gone.id);
      await gone.hold.release();
    },
  };
}
