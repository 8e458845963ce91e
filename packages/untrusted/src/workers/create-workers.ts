import type { WorkerPoolOptions, Workers } from '@nexus/plugin-sdk';
import { ThreadPool } from './thread-pool.ts';

export interface RunningWorkers extends Workers {
  /** Ends every thread, whatever it does; tasks that wait or run fail. */
  close(): Promise<void>;
}

export interface WorkersOptions {
  /** How long a thread without a task is kept, since starting one costs some tens of milliseconds. */
  readonly idleMs?: number;
}

/** The threads of one server, all pools together. */
export function createWorkers({ idleMs = 30_000 }: WorkersOptions = {}): RunningWorkers {
  const pools: ThreadPool<never, unknown>[] = [];
  let isClosed = false;
  return {
    pool<Task, Answer>({ module, threads = 2, maxHeapMb = 256 }: WorkerPoolOptions) {
      const pool = new ThreadPool<Task, Answer>({ module, threads, maxHeapMb, idleMs });
      pools.push(pool);
      if (isClosed) void pool.close(); // has no thread yet
      return pool;
    },
    async close() {
      isClosed = true;
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
