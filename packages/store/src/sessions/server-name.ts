import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hold, Store } from '@nexus/plugin-sdk';

const AGAIN_MS = 1_000;

const holdOf = (name: string) => `sessions-of:${name}`;

/** The name by which others know that this server is there: it is free as soon as this one is not. */
export interface ServerName {
  readonly current: string | undefined;
  /** The name, held now. Where its connection broke it is another one, since the former may look taken for long. */
  stand(): Promise<string>;
  isThere(name: string): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * @param renamed takes over what is on record under the former name, before the new one counts
 * @param over ends the attempts to be there again
 */
export function createServerName(
  store: Pick<Store, 'hold' | 'isHeld'>,
  { renamed, over }: { renamed(to: string, from: string): Promise<void>; readonly over: AbortSignal },
): ServerName {
  let current: { readonly name: string; readonly hold: Hold } | undefined;
  let standing: Promise<string> | undefined;

  async function standAnew(): Promise<string> {
    const name = randomUUID();
    const hold = await store.hold(holdOf(name));
    if (!hold) throw new Error(`the name of server ${name} is taken`);
    try {
      if (current) await renamed(name, current.name);
    } catch (error) {
      await hold.release();
      throw error;
    }
    current = { name, hold };
    hold.lost.addEventListener('abort', () => void comeBack(), { once: true });
    return name;
  }

  /** What waits here for its database has a while to be there again. */
  async function comeBack(): Promise<void> {
    while (!over.aborted) {
      const isBack = await stand().then(
        () => true,
        () => false,
      );
      if (isBack) return;
      await sleep(AGAIN_MS, undefined, { ref: false, signal: over }).catch(() => {});
    }
  }

  function stand(): Promise<string> {
    if (current && !current.hold.lost.aborted) return Promise.resolve(current.name);
    standing ??= standAnew().finally(() => {
      standing = undefined;
    });
    return standing;
  }

  return {
    get current() {
      return current?.name;
    },
    stand,
    isThere: (name) => store.isHeld(holdOf(name)),
    release: async () => current?.hold.release(),
  };
}
