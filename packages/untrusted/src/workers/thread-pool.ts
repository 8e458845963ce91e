import { setMaxListeners } from 'node:events';
import type { WorkerOutcome, WorkerPool } from '@nexus/plugin-sdk';
import { Thread, type ThreadLimits } from './thread.ts';

export interface ThreadPoolOptions {
  readonly module: URL;
  readonly threads: number;
  readonly maxHeapMb: number;
  readonly idleMs: number;
}

interface Waiting {
  /** Gives it a thread. */
  start(thread: Thread): void;
  fail(error: unknown): void;
}

/** As many threads as there are tasks, up to the limit; each task alone in its thread. */
export class ThreadPool<Task, Answer> implements WorkerPool<Task, Answer> {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread>();
  /** The one used last comes first, so that the others become idle long enough to end. */
  readonly #idle: Thread[] = [];
  readonly #waiting = new Set<Waiting>();
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  async run(task: Task, limits: ThreadLimits): Promise<WorkerOutcome<Answer>> {
    const thread = await this.#threadFor(limits.signal);
    try {
      return (await thread.run(task, limits)) as WorkerOutcome<Answer>;
    } finally {
      this.#release(thread);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting) waiting.fail(closed());
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #threadFor(signal: AbortSignal): Promise<Thread> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw closed();
      signal.throwIfAborted();
      const leave = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', abort);
      };
      const waiting: Waiting = {
        start(thread) {
          leave();
          resolve(thread);
        },
        fail(error) {
          leave();
          reject(error);
        },
      };
      const abort = () => waiting.fail(signal.reason);
      // One visit may have many tasks waiting, each of which takes its listener with it.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', abort);
      this.#waiting.add(waiting);
      this.#serve();
    });
  }

  #serve(): void {
    for (const waiting of this.#waiting) {
      const thread = this.#takeIdle() ?? this.#add();
      if (!thread) return;
      waiting.start(thread);
    }
  }

  #takeIdle(): Thread | undefined {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) if (!thread.isOver) return thread;
    return undefined;
  }

  #add(): Thread | undefined {
    const { module, maxHeapMb, threads } = this.#options;
    if (this.#threads.size >= threads) return undefined;
    const thread = new Thread({
      module,
      maxHeapMb,
      onOver: () => {
        this.#threads.delete(thread);
        this.#serve();
      },
    });
    this.#threads.add(thread);
    return thread;
  }

  #release(thread: Thread): void {
    if (!thread.isOver) {
      this.#idle.push(thread);
      thread.endAfter(this.#options.idleMs);
    }
    this.#serve();
  }
}

function closed(): Error {
  return new Error('The workers have been closed, since the server stops.');
}
