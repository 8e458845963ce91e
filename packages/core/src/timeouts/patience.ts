import type { SessionScope } from '@nexus/plugin-sdk';
import { wordOf } from '../session/client-of-user.ts';

/** How long a client waits for the answer of a call; of what is absent, nothing is known. */
export interface Waits {
  /** For one that it hears no progress of. */
  readonly quietMs?: number | undefined;
  /** For any, whatever progress it hears of. */
  readonly totalMs?: number | undefined;
}

/** What is known of that by the names that clients give themselves. */
export interface WaitsOfClients {
  waits(client: string): Waits | undefined;
  learnWaits(client: string, waits: Waits): void;
}

interface WaitingCaller {
  readonly session: SessionScope;
  /** What one user's clients do is told of no other's. */
  readonly user?: string | undefined;
  readonly client: { readonly name: string };
}

interface Abandoned {
  readonly afterMs: number;
  /** What the client said of it. */
  readonly reason: unknown;
  readonly hasProgress: boolean;
}

/** Who waits how long, so that nobody is answered too late. */
export interface ClientPatience {
  /** What the settings of a session's host say; holds for it before all else. */
  said(session: SessionScope, ms: number): void;
  /** Undefined for a client that is not known to give up. */
  waitsMs(caller: WaitingCaller, hasProgress: boolean): number | undefined;
  /** A client cancelled a call, and stayed. */
  gaveUp(caller: WaitingCaller, call: Abandoned): void;
}

/** Clients that give up and never say so, by which it could be learnt. */
const NAMED = [{ client: /^cline\b/i, quietMs: 60_000 }] as const;

/**
 * A client that says it waits less is taken to wait for this. What it calls goes on as a job, whose key it is told to
 * wait by for a part of that time in whole seconds: of less it would be none, and its model would ask without a pause.
 */
const LEAST_SAID_MS = 2_000;
/** What is cancelled before says nothing of how long its client would wait. */
const LEAST_MS = 10_000;
/** Two calls that end for the same clock differ by less. */
const SAME = 0.02;
const TIME_RAN_OUT = /time(d)?[ -]?out|deadline/i;

export function createPatience(clients: WaitsOfClients): ClientPatience {
  const said = new WeakMap<SessionScope, number>();
  /** Of the last call that was cancelled without a word of why. */
  const wordless = new WeakMap<SessionScope, number>();

  /** A person stops calls at any time, and hardly two of them after the same. */
  function isByTheClock(session: SessionScope, { afterMs, reason }: Abandoned): boolean {
    if (reason instanceof Error && TIME_RAN_OUT.test(reason.message)) return true;
    const before = wordless.get(session);
    wordless.set(session, afterMs);
    return before !== undefined && Math.abs(before - afterMs) <= before * SAME;
  }

  return {
    said: (session, ms) => void said.set(session, Math.max(LEAST_SAID_MS, ms)),
    waitsMs({ session, client, user }, hasProgress) {
      const learnt = clients.waits(wordOf({ name: client.name, user }));
      const own =
        said.get(session) ?? learnt?.quietMs ?? NAMED.find((each) => each.client.test(client.name))?.quietMs;
      const least = Math.min(learnt?.totalMs ?? Infinity, hasProgress ? Infinity : (own ?? Infinity));
      return least === Infinity ? undefined : least;
    },
    gaveUp({ session, client, user }, call) {
      if (call.afterMs < LEAST_MS || !isByTheClock(session, call)) return;
      const waits = { [call.hasProgress ? 'totalMs' : 'quietMs']: Math.round(call.afterMs) };
      const learner = wordOf({ name: client.name, user });
      clients.learnWaits(learner, { ...clients.waits(learner), ...waits });
    },
  };
}
