import type { Events } from '@nexus/plugin-sdk';
import type { Changes } from '../changes.ts';

/** The longest wait that a timer takes. */
const FOREVER_MS = 2 ** 31 - 1;

/** Tells of changes of the inboxes that somebody has read as a resource. */
export interface InboxUpdates {
  /** From now on, and until the server ends; reads come before subscriptions. */
  follow(worker: string): Promise<void>;
}

export function createInboxUpdates(
  changes: Changes,
  { events, signal }: { readonly events: Events; readonly signal: AbortSignal },
): InboxUpdates {
  const followed = new Set<string>();
  const changed = new Set<string>();
  let hearing: Promise<void> | undefined;

  async function tell(): Promise<void> {
    using ear = changes.ear(({ to = [], read = [] }) => {
      const concerned = [...to, ...read].filter((worker) => followed.has(worker));
      for (const worker of concerned) changed.add(worker);
      return concerned.length > 0;
    });
    while (!signal.aborted) {
      const why = await ear.next(FOREVER_MS, signal).catch(() => 'over');
      if (why === 'over') return;
      // Of a change that may be any, nobody is named.
      const workers = changed.size > 0 ? [...changed] : [...followed];
      changed.clear();
      for (const worker of workers) events.resourceUpdated(`nexus://inbox/${worker}`);
    }
  }

  async function hear(): Promise<void> {
    // Where others can't be heard, what comes by this server is told all the same.
    const stop = await changes.listen().catch(() => () => {});
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    void tell();
  }

  return {
    async follow(worker) {
      followed.add(worker);
      hearing ??= hear();
      await hearing;
    },
  };
}
