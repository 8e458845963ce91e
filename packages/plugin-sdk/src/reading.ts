import { isToolError, ToolError } from './tool-error.ts';
import type { Workers } from './workers.ts';

/** Readers of text from outside, by name: each takes one plain value and gives one. */
export type Readers = Readonly<Record<string, (given: never) => unknown>>;

/** Reads in a thread, and throws what the reader throws, or NEXUS_INVALID_ARGUMENTS where it has to be given up. */
export type Read<Of extends Readers> = <Name extends keyof Of & string>(
  reader: Name,
  given: Parameters<Of[Name]>[0],
) => Promise<Awaited<ReturnType<Of[Name]>>>;

export interface ReadingRoom<Of extends Readers> {
  /** What one call, or one stage of a run, reads: all of it together within one limit of time. */
  visit(options: { readonly signal: AbortSignal; readonly limitMs?: number }): Read<Of>;
}

interface ReadTask {
  readonly reader: string;
  readonly given: unknown;
}

type ReadAnswer = { readonly tookMs: number } & (
  | { readonly value: unknown }
  | { readonly refused: Pick<ToolError, 'code' | 'message' | 'detail'> }
);

/** An honest text takes some milliseconds. */
const LIMIT_MS = 3_000;
const INVALID = 'NEXUS_INVALID_ARGUMENTS';

/** The default export of a room's module: what its threads do. */
export function readersInRoom(readers: Readers): (task: ReadTask) => Promise<ReadAnswer> {
  return async ({ reader, given }) => {
    const startedAt = performance.now();
    const tookMs = () => performance.now() - startedAt;
    try {
      const value = await readers[reader]?.(given as never); // of the type that `Read` holds callers to
      return { value, tookMs: tookMs() };
    } catch (error) {
      if (!isToolError(error)) throw error;
      const { code, message, detail } = error;
      return { refused: { code, message, detail }, tookMs: tookMs() };
    }
  };
}

/**
 * Threads in which a plugin reads what others wrote, since a text can be made to hold whoever reads it.
 * @param module exports by default what {@link readersInRoom} makes of the readers
 */
export function readingRoom<Of extends Readers>(workers: Workers, module: URL): ReadingRoom<Of> {
  const pool = workers.pool<ReadTask, ReadAnswer>({ module });
  return {
    visit({ signal, limitMs = LIMIT_MS }) {
      let leftMs = limitMs;
      const fault = (reason: string) =>
        new ToolError(INVALID, `This can't be read: reading it ${reason}. Give less, or something plainer.`);
      const read = async (reader: string, given: unknown) => {
        if (leftMs <= 0) throw fault(`took longer than ${limitMs} ms`);
        const outcome = await pool.run({ reader, given }, { signal, timeLimitMs: Math.ceil(leftMs) });
        if (outcome.fault !== undefined) {
          if (outcome.fault === 'overran') leftMs = 0;
          throw fault(outcome.fault === 'overran' ? `took longer than ${limitMs} ms` : outcome.reason);
        }
        const { answer } = outcome;
        leftMs -= answer.tookMs;
        if ('value' in answer) return answer.value;
        const { code, message, detail } = answer.refused;
        throw new ToolError(code, message, detail === undefined ? {} : { detail });
      };
      return read as Read<Of>; // the module's readers are those of the type
    },
  };
}
