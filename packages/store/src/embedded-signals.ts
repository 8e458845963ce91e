import { fileHolds } from './file-holds.ts';
import { createListeners, type Signals } from './signals.ts';

/**
 * Of the embedded database. Notifications stay in this process, which as a rule is the only one: those that
 * run beside it look for themselves now and then. Names are held against every process of the data directory.
 */
export function embeddedSignals(dataDir: string): Signals {
  const listeners = createListeners();
  const holds = fileHolds(dataDir);
  return {
    async notify(channel, payload) {
      // Later, as from elsewhere; a query of the listener's waits for the transaction that this is part of.
      setImmediate(() => listeners.tell(channel, payload));
    },
    listen: async (channel, listener) => listeners.add(channel, listener),
    hold: holds.hold,
    isHeld: holds.isHeld,
    async close() {
      holds.close();
    },
  };
}
