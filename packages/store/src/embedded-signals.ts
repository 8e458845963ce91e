import { fileHolds } from './file-holds.ts';
import { fileNotices } from './file-notices.ts';
import { createListeners, type Signals } from './signals.ts';

/**
 * Of the embedded database, whose processes are all of one machine and one data directory.
 * @param afterWrites resolves once every transaction that is open now is over
 */
export function embeddedSignals(dataDir: string, afterWrites: () => Promise<unknown>): Signals {
  const listeners = createListeners();
  const holds = fileHolds(dataDir);
  const notices = fileNotices(dataDir);

  /** Others must not look before the transaction that this is part of. */
  async function tellOthers(channel: string, payload: string): Promise<void> {
    await afterWrites();
    notices.send(channel, payload);
  }

  return {
    async notify(channel, payload) {
      // Later, as from elsewhere; a query of the listener's waits for the transaction that this is part of.
      setImmediate(() => {
        listeners.tell(channel, payload);
        // A store that was closed meanwhile has nobody to tell.
        tellOthers(channel, payload).catch(() => {});
      });
    },
    async listen(channel, listener) {
      notices.hear((notice) => listeners.tell(notice.channel, notice.payload));
      return listeners.add(channel, listener);
    },
    hold: holds.hold,
    isHeld: holds.isHeld,
    async close() {
      notices.close();
      holds.close();
    },
  };
}
