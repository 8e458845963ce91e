import type { Hold, Log } from '@nexus/plugin-sdk';
import { dismiss, enrol, ownedRuns, renew } from '../record/claiming.ts';
import type { RunDatabase } from '../record/run-database.ts';

const HEARTBEAT_MS = 5_000;

/** What others know this process by while it has runs. */
export interface Presence {
  /** As runs name it; made known with the first run. */
  join(): Promise<string>;
  /** As it is known now; undefined before the first run. */
  readonly id: string | undefined;
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
export function presenceName(id: string): string {
  return `runs-worker-${id}`;
}

export function createPresence({ on, log, isNeeded, onRenewed }: PresenceOptions): Presence {
  let current: { id: string; hold: Hold } | undefined;
  let joining: Promise<{ id: string; hold: Hold }> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let renewedAt = 0;

  async function enter(): Promise<{ id: string; hold: Hold }> {
    const id = crypto.randomUUID();
    const hold = await on.store.hold(presenceName(id));
    if (!hold) throw new Error(`the name of worker ${id} is taken`);
    await enrol(on, id);
    current = { id, hold };
    renewedAt = performance.now();
    hold.lost.addEventListener('abort', () => void beat(), { once: true });
    timer ??= setInterval(() => void beat(), HEARTBEAT_MS).unref();
    return current;
  }

  async function beat(): Promise<void> {
    if (!current || !isNeeded()) return;
    const { id, hold } = current;
    try {
      if (hold.lost.aborted && !(await takeAgain(id))) return await forget();
      if (!(await renewed(id))) return await forget();
      await onRenewed(await ownedRuns(on, id));
    } catch (error) {
      log.warn('this process’s runs could not be renewed', { err: error });
    }
  }

  async function renewed(id: string): Promise<boolean> {
    const isKnown = await renew(on, id);
    renewedAt = performance.now();
    return isKnown;
  }

  async function takeAgain(id: string): Promise<boolean> {
    const hold = await on.store.hold(presenceName(id));
    if (!hold) return false;
    current = { id, hold };
    hold.lost.addEventListener('abort', () => void beat(), { once: true });
    return true;
  }

  /** Others took this process for dead: what it had is theirs, and it comes back under another name. */
  async function forget(): Promise<void> {
    const gone = current;
    current = undefined;
    joining = undefined;
    log.warn('this process was taken for dead: its runs are others’ now', { worker: gone?.id });
    await gone?.hold.release();
    await onRenewed(undefined);
  }

  return {
    get id() {
      return current?.id;
    },
    async join() {
      joining ??= enter();
      try {
        const { id } = await joining;
        // Without runs nothing was renewed: what begins now must not look long forgotten.
        if (performance.now() - renewedAt < HEARTBEAT_MS || (await renewed(id))) return id;
        await forget();
        joining ??= enter();
        return (await joining).id;
      } catch (error) {
        joining = undefined;
        throw error;
      }
    },
    async leave() {
      clearInterval(timer);
      const gone = current;
      current = undefined;
      if (!gone) return;
      await dismiss(on, gone.id);
      await gone.hold.release();
    },
  };
}
