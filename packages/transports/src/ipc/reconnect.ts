import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@nexus/plugin-sdk';
import type { Claim } from './claim.ts';
import type { SessionHello } from './hello.ts';
import { join, joinOrClaim } from './join.ts';
import type { MeetingPoint } from './meeting-point.ts';

/** Spreads the bridges that lost the same owner, and keeps one from spinning on an owner that keeps failing. */
const JITTER_MS = 20;

export interface ReconnectOptions {
  readonly point: MeetingPoint;
  readonly session: Omit<SessionHello, 'isResumed'>;
  readonly log: Log;
  /**
   * Serves in this process; resolves when the claim listens. Absent, the bridge only ever joins. The bridge
   * then joins its own process through the socket like every other, so that its host's session goes on the
   * same way.
   */
  readonly becomeOwner?: ((claim: Claim) => Promise<void>) | undefined;
}

/** An owner that hung while a bridge waited for a sign of it need not be waited for once more. */
const HUNG_PATIENCE_MS = 2_000;

/**
 * How a bridge finds the next owner: the lock elects one of those that look.
 * @param isHung the last one did not end, but says nothing any more
 */
export function createReconnect(
  options: ReconnectOptions,
): (signal: AbortSignal, isHung?: boolean) => Promise<Socket> {
  const { point, log, becomeOwner } = options;
  const session: SessionHello = { ...options.session, isResumed: true };
  return async (signal, isHung = false) => {
    await sleep(Math.random() * JITTER_MS);
    const patienceMs = isHung ? HUNG_PATIENCE_MS : undefined;
    const where = { point, session, log, signal, patienceMs };
    if (!becomeOwner) return join(where);
    for (;;) {
      const found = await joinOrClaim(where);
      if (found.role === 'joined') return found.socket;
      if (signal.aborted) found.claim.release();
      signal.throwIfAborted();
      await serve(found.claim, becomeOwner);
    }
  };
}

/** A server that does not start must not keep the others from starting theirs. */
async function serve(claim: Claim, becomeOwner: (claim: Claim) => Promise<void>): Promise<void> {
  try {
    await becomeOwner(claim);
  } catch (error) {
    claim.release();
    throw error;
  }
}
