import type { ModelCaller } from '@nexus/plugin-sdk';
import PQueue from 'p-queue';
import type { ModelSource } from '../source.ts';

const MINUTE_MS = 60_000;

/**
 * Holds the calls of each source to its concurrency and rate; a call that is cancelled leaves its queue. Where each
 * session has a model of its own, one that does not answer holds up nobody else.
 */
export interface Limits {
  run<Answer>(source: ModelSource, caller: ModelCaller, call: () => Promise<Answer>): Promise<Answer>;
}

export function createLimits(): Limits {
  const queues = new Map<string, PQueue>();
  const queueOf = ({ name, concurrency, requestsPerMinute, ofSession }: ModelSource, session: string) => {
    const key = ofSession ? `${name}\n${session}` : name;
    let queue = queues.get(key);
    if (!queue) {
      const rate =
        requestsPerMinute === undefined ? {} : { intervalCap: requestsPerMinute, interval: MINUTE_MS };
      queue = new PQueue({ concurrency, ...rate });
      queues.set(key, queue);
      const made = queue;
      // Sessions come and go. Idle, its rate is of no more use than that of a session that has just come.
      if (ofSession) made.once('idle', () => queues.get(key) === made && queues.delete(key));
    }
    return queue;
  };
  return {
    async run(source, { signal, session }, call) {
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
        return await queueOf(source, session?.id ?? '').add(started, { signal: waiting.signal });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw error;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
