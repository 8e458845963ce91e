import type { AnyDatabase, Hold } from '@nexus/plugin-sdk';

export type Listener = (payload: string | undefined) => void;

/** What passes between the processes of one project beside its tables. */
export interface Signals {
  notify(channel: string, payload: string, db?: AnyDatabase): Promise<void>;
  listen(channel: string, listener: Listener): Promise<() => void>;
  hold(name: string): Promise<Hold | undefined>;
  isHeld(name: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Who listens, by channel. */
export interface Listeners {
  add(channel: string, listener: Listener): () => void;
  /** @param payload undefined where it was lost on the way */
  tell(channel: string, payload: string | undefined): void;
  /** Some may have been lost. */
  tellAll(): void;
}

export function createListeners(): Listeners {
  const channels = new Map<string, Set<Listener>>();
  return {
    add(channel, listener) {
      const own: Listener = (payload) => listener(payload); // so that one function may listen twice
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(own));
      return () => {
        listeners.delete(own);
      };
    },
    tell(channel, payload) {
      for (const listener of channels.get(channel) ?? []) listener(payload);
    },
    tellAll() {
      for (const listeners of channels.values()) for (const listener of listeners) listener(undefined);
    },
  };
}
