import { createListeners, type Signals } from './signals.ts';

/** Within this process, which is the only one where the database is a file: the socket has one owner. */
export function processSignals(): Signals {
  const listeners = createListeners();
  const held = new Map<string, symbol>();
  return {
    async notify(channel, payload) {
      // Later, as from elsewhere; a query of the listener's waits for the transaction that this is part of.
      setImmediate(() => listeners.tell(channel, payload));
    },
    listen: async (channel, listener) => listeners.add(channel, listener),
    async hold(name) {
      if (held.has(name)) return undefined;
      const own = Symbol(name);
      held.set(name, own);
      return {
        lost: new AbortController().signal,
        async release() {
          if (held.get(name) === own) held.delete(name);
        },
      };
    },
    isHeld: async (name) => held.has(name),
    async close() {
      held.clear();
    },
  };
}
