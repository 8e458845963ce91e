import { Worker } from 'node:worker_threads';
import type { WorkerOutcome } from '@nexus/plugin-sdk';
import { ThreadClock } from './thread-clock.ts';
import { programFor } from './thread-program.ts';

export interface ThreadLimits {
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
}

interface ThreadOptions {
  readonly module: URL;
  readonly maxHeapMb: number;
  /** Called once, when the thread has ended for whatever reason. */
  onOver(): void;
}

/** A module that has not loaded by then never will; time enough for a machine that swaps. */
const START_LIMIT_MS = 60_000;
/** How much of what an error says is passed on. */
const MAX_REASON_CHARACTERS = 200;

/** One worker thread. It holds the process open only as long as it has a task, and takes none after one that went wrong. */
export class Thread {
  readonly #worker: Worker;
  /** Gives the system's name of the thread, where it has one. */
  readonly #loaded: Promise<string | undefined>;
  #settle: ((outcome: WorkerOutcome<unknown>) => void) | undefined;
  #error: Error | undefined;
  #isOver = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ module, maxHeapMb, onOver }: ThreadOptions) {
    const { code, data } = programFor(module);
    this.#worker = new Worker(code, {
      eval: true,
      workerData: data,
      // Neither the secrets of this process nor the flags it was started with.
      env: {},
      execArgv: [],
      // Its stdout would be this process's, which is the protocol's.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.unref();
    this.#loaded = new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#error = new Error(`${module.href} did not load within ${START_LIMIT_MS} ms.`);
        void this.end();
      }, START_LIMIT_MS).unref();
      this.#worker.once('message', (systemThread: string | undefined) => {
        clearTimeout(late);
        this.#worker.on('message', (answer: unknown) => this.#settle?.({ answer }));
        resolve(systemThread);
      });
      this.#worker.once('exit', () => {
        clearTimeout(late);
        reject(this.#error ?? new Error(`The thread of ${module.href} ended before it had loaded.`));
      });
    });
    // Who waits for it hears of it in `run`; without a task nobody does.
    this.#loaded.catch(() => {});
    this.#worker.on('error', (error) => {
      this.#error ??= error instanceof Error ? error : new Error('what it threw is no error');
    });
    this.#worker.on('messageerror', (error) => {
      this.#error ??= error;
      void this.end();
    });
    this.#worker.once('exit', () => {
      this.#over();
      this.#settle?.({ fault: 'trapped', reason: reasonOf(this.#error) });
      onOver();
    });
  }

  /** True as soon as it takes no more tasks. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** One task at a time. A thread that is ended meanwhile has trapped. */
  async run(task: unknown, { signal, timeLimitMs }: ThreadLimits): Promise<WorkerOutcome<unknown>> {
    signal.throwIfAborted();
    clearTimeout(this.#idleTimer);
    // Somebody waits, and not for long.
    this.#worker.ref();
    let timer: NodeJS.Timeout | undefined;
    let abort: (() => void) | undefined;
    try {
      return await new Promise<WorkerOutcome<unknown>>((resolve, reject) => {
        abort = () => {
          void this.end();
          reject(signal.reason);
        };
        signal.addEventListener('abort', abort);
        this.#loaded
          .then((systemThread) => {
            if (signal.aborted) return;
            this.#settle = resolve;
            const clock = new ThreadClock(systemThread);
            this.#worker.postMessage(task);
            // An answer that came while this thread was busy is read before the time counts.
            const lookAfter = (ms: number) => {
              timer = setTimeout(() => setImmediate(look), ms).unref();
            };
            const look = () => {
              if (!this.#settle) return;
              const leftMs = clock.leftMs(timeLimitMs);
              if (leftMs > 1) return lookAfter(leftMs);
              void this.end();
              resolve({ fault: 'overran', reason: `took longer than ${timeLimitMs} ms` });
            };
            lookAfter(timeLimitMs);
          })
          .catch(reject);
      });
    } finally {
      clearTimeout(timer);
      this.#worker.unref();
      this.#settle = undefined;
      if (abort) signal.removeEventListener('abort', abort);
    }
  }

  endAfter(idleMs: number): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.end(), idleMs).unref();
  }

  /** Ends it at once, WebAssembly in an endless loop included. */
  async end(): Promise<void> {
    this.#over();
    await this.#worker.terminate();
  }

  #over(): void {
    this.#isOver = true;
    clearTimeout(this.#idleTimer);
  }
}

function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  if (error?.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'needs more memory than there is for one task';
  const [line = ''] = (error?.message ?? 'it was ended').split('\n', 1);
  return `failed: ${line.slice(0, MAX_REASON_CHARACTERS)}`;
}
