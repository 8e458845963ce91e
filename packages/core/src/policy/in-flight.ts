import { ToolError } from '@nexus/plugin-sdk';

export interface InFlightLimit {
  /** How many calls of one session may run at the same time. */
  readonly callsInFlight: number;
  /** How many characters the arguments of those calls may hold together. */
  readonly argumentCharsInFlight: number;
}

/** What the calls of one session hold while they run: a runaway is bounded by that, however fast it is. */
export interface InFlight {
  /**
   * @param size of the call's arguments, as `sizeInChars` counts
   * @returns what gives the place back; to be called once
   * @throws {ToolError} NEXUS_RATE_LIMITED with `retryAfterMs`
   */
  enter(size: number): () => void;
}

/** Any call that ends makes room, so that asking again soon is right. */
const RETRY_AFTER_MS = 100;

export function createInFlight({ callsInFlight, argumentCharsInFlight }: InFlightLimit): InFlight {
  let calls = 0;
  let chars = 0;
  return {
    enter(size) {
      if (calls >= callsInFlight) {
        throw tooMuch(`${calls} calls of this session still run, as many as limits.callsInFlight allows`);
      }
      // A call alone always passes: the transport has bounded its message.
      if (calls > 0 && chars + size > argumentCharsInFlight) {
        throw tooMuch(
          `the arguments of this session's calls that still run hold ${chars} characters, and ${size} more would exceed limits.argumentCharsInFlight (${argumentCharsInFlight})`,
        );
      }
      calls += 1;
      chars += size;
      return () => {
        calls -= 1;
        chars -= size;
      };
    },
  };
}

function tooMuch(why: string): ToolError {
  const text = `Not run: ${why}. Wait for one of them to end, or ${RETRY_AFTER_MS} ms, then call again.`;
  return new ToolError('NEXUS_RATE_LIMITED', text, { detail: { retryAfterMs: RETRY_AFTER_MS } });
}

/**
 * About what a parsed JSON value holds; a container counts for a few characters, so that many are seen too. Nothing is
 * made for each: there may be 150 000.
 */
export function sizeInChars(value: unknown): number {
  let chars = 0;
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    chars += typeof each === 'string' ? each.length : 8;
    if (typeof each !== 'object' || each === null) continue;
    if (Array.isArray(each)) for (const item of each) left.push(item);
    else {
      for (const key in each) {
        chars += key.length;
        left.push((each as Readonly<Record<string, unknown>>)[key]);
      }
    }
  }
  return chars;
}
