import type { WorkerOutcome, WorkerPool, Workers } from '@nexus/plugin-sdk';
import { readBytes } from '@nexus/primitives';
import { textOf } from '../files/read-text.ts';
import { languageOf } from '../syntax/languages.ts';
import { contentKey, hashOf } from './content-key.ts';
import { stampOf } from './file-stamp.ts';
import { Patience } from './patience.ts';
import type { FileContent, FoldersTask, ParseAnswer, Parsed, SourceFile, Want, WorkerTask } from './task.ts';

/** As many as a worker reads between two looks at the clock; it says where its turn ended. */
const BATCH_FILES = 32;
/** Both threads are busy and one batch waits, so that no thread does. */
const BATCHES_IN_FLIGHT = 3;
/** Contents that failed and are remembered; the oldest are tried again. */
const MAX_FAILED = 1_000;
const FOLDERS_LIMIT_MS = 2_000;

export interface ParseOptions {
  /** Asked for each batch. */
  readonly want: () => Want;
  readonly signal: AbortSignal;
}

/**
 * Has files read and parsed in worker threads: the content of a repository can neither hold nor break
 * the thread that serves everybody. A file that ends its worker is named as failed, and what it held is
 * not tried again.
 */
export class SourceParsing {
  readonly #pool: WorkerPool<WorkerTask, unknown>;
  readonly #maxBytes: number;
  readonly #failed = new Map<string, string>();

  constructor(workers: Workers, maxBytes: number) {
    this.#pool = workers.pool({ module: new URL('./parse.worker.ts', import.meta.url) });
    this.#maxBytes = maxBytes;
  }

  /** What each file came to, in their order, in parts. */
  async *parse(files: readonly SourceFile[], options: ParseOptions): AsyncGenerator<ParseAnswer> {
    const patience = new Patience();
    const inFlight: Promise<Parsed[]>[] = [];
    for (let at = 0; at < files.length || inFlight.length > 0; ) {
      while (at < files.length && inFlight.length < BATCHES_IN_FLIGHT) {
        const batch = this.#batch(files.slice(at, at + BATCH_FILES), options, patience);
        // Heard of in its turn; until then nobody waits for it.
        batch.catch(() => {});
        inFlight.push(batch);
        at += BATCH_FILES;
      }
      yield (await inFlight.shift()) ?? [];
    }
  }

  /**
   * The folders in these that ignore files allow.
   * @returns undefined where that took too long or could not be done
   */
  async folders(task: Omit<FoldersTask, 'kind'>, signal: AbortSignal): Promise<string[] | undefined> {
    const limits = { signal, timeLimitMs: FOLDERS_LIMIT_MS };
    const outcome = await this.#pool.run({ kind: 'folders', ...task }, limits);
    // The worker answers each kind of task with its own.
    return outcome.fault ? undefined : (outcome.answer as string[]);
  }

  async #batch(files: readonly SourceFile[], options: ParseOptions, patience: Patience): Promise<Parsed[]> {
    const parsed: Parsed[] = [];
    while (parsed.length < files.length) {
      const rest = files.slice(parsed.length);
      const timeLimitMs = patience.limitMs(0);
      const outcome = await this.#run(rest, options, timeLimitMs);
      if (!outcome.fault) {
        parsed.push(...outcome.answer);
        continue;
      }
      if (outcome.fault === 'overran') patience.spend(timeLimitMs);
      // Which one it was is not known, and the answers for those before it are lost.
      for (const file of rest) parsed.push(await this.#alone(file, options, patience));
    }
    return parsed;
  }

  /** Read here first, so that what is remembered as failing is what was tried. */
  async #alone(file: SourceFile, options: ParseOptions, patience: Patience): Promise<Parsed> {
    const read = await this.#read(file);
    if ('status' in read) return read;
    const hash = hashOf(read.bytes);
    const timeLimitMs = patience.limitMs(read.bytes.length);
    const outcome = await this.#run([{ ...file, content: read }], options, timeLimitMs);
    if (!outcome.fault) return outcome.answer[0] as Parsed;
    if (outcome.fault === 'overran') patience.spend(timeLimitMs);
    const reason = `the parser ${outcome.reason}`;
    this.#remember(contentKey(languageOf(file.path), hash), reason);
    return { status: 'failed', hash, stamp: read.stamp, reason };
  }

  async #run(files: readonly SourceFile[], { want, signal }: ParseOptions, timeLimitMs: number) {
    const task = {
      kind: 'parse',
      files,
      want: want(),
      maxBytes: this.#maxBytes,
      failed: this.#failed,
    } as const;
    const outcome = await this.#pool.run(task, { signal, timeLimitMs });
    return outcome as WorkerOutcome<ParseAnswer>;
  }

  async #read({ path }: SourceFile): Promise<FileContent | (Parsed & { status: 'unreadable' })> {
    const readAtMs = Date.now();
    try {
      const read = await readBytes(path, this.#maxBytes);
      const text = textOf(read, this.#maxBytes);
      if (typeof text !== 'string' || typeof read === 'string' || !('bytes' in read)) {
        return { status: 'unreadable', reason: typeof text === 'string' ? '' : text.reason };
      }
      return { bytes: read.bytes, stamp: stampOf(read.stats, readAtMs) };
    } catch (error) {
      return { status: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #remember(key: string, reason: string): void {
    this.#failed.set(key, reason);
    const [oldest] = this.#failed.keys();
    if (oldest !== undefined && this.#failed.size > MAX_FAILED) this.#failed.delete(oldest);
  }
}
