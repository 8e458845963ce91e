import type { SessionScope } from '@nexus/plugin-sdk';
import { type ClientOfUser, wordOf } from './client-of-user.ts';

/** What is known of clients, each of its own user: whether they ask for a list that has changed. */
export interface ClientHabits {
  /** Undefined for one that has not been seen at it yet. */
  looksAgain(client: string): boolean | undefined;
  learn(client: string, looksAgain: boolean): void;
}

/** Whether clients have seen what was added to their lists of tools. */
export interface Relisting {
  /** The session's client asks for its list of tools. */
  listed(session: SessionScope, client: ClientOfUser): void;
  /**
   * Resolves once the session's client knows its list as it is now. A client that asks for it only after the answer
   * of a call gives its model that list one request late; so an answer that adds tools waits for this, half a
   * second at most, and not at all for a client that never asks.
   * @returns false where the client does not know it; true as well where there is no client, or one that has never
   *   asked for a list
   */
  knowsList(session: SessionScope, signal: AbortSignal): Promise<boolean>;
  /** Whether it is known of a client that its model sees a list that has changed in its next request. */
  seesChanges(client: ClientOfUser): boolean;
}

const LONGEST_MS = 500;
/**
 * Clients that ask at once and whose model sees the list only in the request after the next: Gemini CLI reads
 * resources and prompts anew before it takes in tools.
 */
const TAKES_IN_LATE = /^gemini-cli-mcp-client/;
/** Seen to show its model a changed list in the next request (docs/hosts.md), for as long as nothing else is learnt. */
const SEES_CHANGES = /^claude-code\b/;
/** For the client to take in the list that it is answered: some read other lists too before their model sees it. */
const MOMENT_MS = 250;

interface Listing {
  readonly client: ClientOfUser;
  /** Whether it was told of a change, and has not asked since. */
  isBehind: boolean;
  readonly waiting: Set<() => void>;
}

/** Tells whose list changed; undefined where everybody's did. */
interface ChangingLists {
  onChange(listener: (session: SessionScope | undefined) => void): unknown;
}

export function createRelisting(lists: ChangingLists, habits: ClientHabits): Relisting {
  const listings = new WeakMap<SessionScope, Listing>();
  lists.onChange((session) => {
    const listing = session && listings.get(session);
    if (listing) listing.isBehind = true;
  });
  return {
    listed(session, client) {
      const listing = listings.get(session);
      if (!listing) return void listings.set(session, { client, isBehind: false, waiting: new Set() });
      const word = wordOf(client);
      if (listing.isBehind && habits.looksAgain(word) !== true) habits.learn(word, true);
      listing.isBehind = false;
      for (const wake of listing.waiting) wake();
    },
    seesChanges: (client) =>
      !TAKES_IN_LATE.test(client.name) &&
      (habits.looksAgain(wordOf(client)) ?? SEES_CHANGES.test(client.name)),
    async knowsList(session, signal) {
      const listing = listings.get(session);
      if (!listing) return true;
      const word = wordOf(listing.client);
      const habit = TAKES_IN_LATE.test(listing.client.name) ? false : habits.looksAgain(word);
      if (!listing.isBehind) return habit !== false;
      if (habit === false) return false;
      const startedAt = performance.now();
      await asked(listing, signal);
      // Set by `listed` meanwhile.
      if (listing.isBehind as boolean) {
        if (habit === undefined && !signal.aborted) habits.learn(word, false);
        return false;
      }
      const leftMs = LONGEST_MS - (performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, Math.min(MOMENT_MS, leftMs)));
      return true;
    },
  };
}

async function asked({ waiting }: Listing, signal: AbortSignal): Promise<void> {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  waiting.add(wake);
  signal.addEventListener('abort', wake, { once: true });
  const timer = setTimeout(wake, LONGEST_MS);
  if (signal.aborted) wake();
  await woken;
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
  waiting.delete(wake);
}
