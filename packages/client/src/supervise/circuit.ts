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

/** Keeps calls from a server that answers none. */
export interface Circuit {
  /** No call is let through now. */
  readonly isOpen: boolean;
  /** @throws {ConnectionError} unsent, while the circuit is open; what the work throws */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Counts timeouts and lost answers. What a server answers, an error too, and what a caller cancels says
 * nothing against it.
 */
export function createCircuit(serverName: string): Circuit {
  const breaker = circuitBreaker(handleWhen(isUnanswered), {
    halfOpenAfter: OPEN_MS,
    breaker: new ConsecutiveBreaker(MAX_UNANSWERED),
  });
  /** Nothing counts against the server: its calls need not pass the breaker, which costs as much as they. */
  let isSound = true;
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
    const reason = `left ${MAX_UNANSWERED} calls in a row without an answer; it is tried again every ${OPEN_MS / 1000} s`;
    throw new ConnectionError(serverName, { reason }, { cause: error, isUnsent: true });
  };
  const counted = async (error: unknown) => {
    if (isUnanswered(error)) await count(error);
    throw error;
  };
  return {
    get isOpen() {
      return breaker.state === CircuitState.Open;
    },
    run: (work) => (isSound ? work().catch(counted) : breaker.execute(work).catch(told)),
  };
}

function isUnanswered(error: unknown): boolean {
  if (error instanceof ConnectionError) return !error.isUnsent;
  return isToolError(error) && error.code === 'NEXUS_TIMEOUT';
}
