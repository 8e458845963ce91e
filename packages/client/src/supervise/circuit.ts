import { isToolError } from '@nexus/plugin-sdk';
import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel';
import { ConnectionError } from '../connection-error.ts';

/** So many calls in a row without an answer, and a server is taken not to answer any. */
const MAX_UNANSWERED = 5;
/** So long no call is tried; then one is. */
const OPEN_MS = 30_000;

const UNANSWERED = `left ${MAX_UNANSWERED} calls in a row without an answer`;

/** Keeps calls from a server that answers none. */
export interface Circuit {
  /** Why no call is let through, and until when; undefined where one would be. */
  readonly leftAlone: string | undefined;
  /** @throws {ConnectionError} unsent, while the circuit is open; what the work throws */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Counts timeouts and lost answers, those that one death cut together once. What a server answers, an error too, and
 * what a caller cancels says nothing against it.
 */
export function createCircuit(serverName: string): Circuit {
  const breaker = circuitBreaker(handleWhen(isUnanswered), {
    halfOpenAfter: OPEN_MS,
    breaker: new ConsecutiveBreaker(MAX_UNANSWERED),
  });
  /** Nothing counts against the server: its calls need not pass the breaker, which costs as much as they. */
  let isSound = true;
  /** How often answers were lost: a call that was under way at such a loss tells of none but that. */
  let losses = 0;
  let openedAt = 0;
  breaker.onBreak(() => {
    openedAt = Date.now();
  });
  breaker.onSuccess(() => {
    isSound = true;
  });
  async function count(error: unknown): Promise<void> {
    isSound = false;
    // What it says of this call is the error itself, or that others have opened it meanwhile.
    await breaker.execute(() => Promise.reject(error)).catch(() => {});
  }
  const told = (error: unknown) => {
    if (!isBrokenCircuitError(error)) throw error;
    const reason = `${UNANSWERED}; it is tried again every ${OPEN_MS / 1000} s`;
    throw new ConnectionError(serverName, { reason }, { cause: error, isUnsent: true });
  };
  function attempt<T>(work: () => Promise<T>): Promise<T> {
    const lossesBefore = losses;
    return work().catch(async (error: unknown) => {
      if (isUnanswered(error)) {
        const isLost = error instanceof ConnectionError;
        const isKnown = isLost && losses !== lossesBefore;
        if (isLost && !isKnown) losses += 1;
        if (!isKnown) await count(error);
      }
      throw error;
    });
  }
  async function attemptAfterFailure<T>(work: () => Promise<T>): Promise<T> {
    const answer = await attempt(work);
    await breaker.execute(() => Promise.resolve()).catch(() => {});
    return answer;
  }
  return {
    get leftAlone() {
      if (breaker.state !== CircuitState.Open) return undefined;
      const until = openedAt + OPEN_MS;
      // From then on the next call tries it.
      return until <= Date.now()
        ? undefined
        : `${UNANSWERED}, and none is sent before ${new Date(until).toISOString()}`;
    },
    run(work) {
      if (isSound) return attempt(work);
      // One call alone tries whether it answers again.
      if (breaker.state !== CircuitState.Closed) return breaker.execute(work).catch(told);
      return attemptAfterFailure(work);
    },
  };
}

function isUnanswered(error: unknown): boolean {
  if (error instanceof ConnectionError) return !error.isUnsent;
  return isToolError(error) && error.code === 'NEXUS_TIMEOUT';
}
