import PQueue from 'p-queue';
import type { ModelSource } from '../source.ts';

const MINUTE_MS = 60_000;

/** Holds the calls of each source to its concurrency and rate; a call that is cancelled leaves its queue. */
export interface Limits {
  run<Answer>(source: ModelSource, signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer>;
}

export function createLimits(): Limits {
  const queues = new Map<string, PQueue>();
  const queueOf = ({ name, concurrency, requestsPerMinute }: ModelSource) => {
    let queue = queues.get(name);
    if (!queue) {
      const rate =
        requestsPerMinute === undefined ? {} : { intervalCap: requestsPerMinute, interval: MINUTE_MS };
      queue = new PQueue({ concurrency, ...rate });
      queues.set(name, queue);
    }
    return queue;
  };
  return {
    async run(source, signal, call) {
      const waiting = new AbortController();
      const leave = () => waiting.abort(signal.reason);
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { once: true });
      // Once it runs, the call itself ends by the signal, and is waited for: it may have processes to end.
      const started = () => {
        signal.removeEventListener('abort', leave);
        return call();
      };
      try {
        return await queueOf(source).add(started, { signal: waiting.signal });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw error;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
