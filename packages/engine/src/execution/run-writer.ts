import { ToolError } from '@nexus/plugin-sdk';
import { asOwner, LostRun, type OwnerChange, type RunToken } from '../record/fence.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { StepEnding } from '../record/steps.ts';
import type { Delivery } from './delivery.ts';

/** What one transaction takes at most, and how long it is gathered. */
const MAX_TOGETHER = 64;
const GATHER_MS = 10;

export interface RunWriterOptions {
  /** Waits for as long as it takes. */
  readonly on: RunDatabase;
  readonly token: RunToken;
  /** The last number given in the run. */
  readonly seq: number;
  readonly delivery: Delivery;
  onLost(): void;
  /** An end that the run was told ahead of the record can't be put there. */
  onBroken(error: ToolError): void;
}

/**
 * Writes of one run, in order, each with the next number of the run. What there is to write when the run has
 * come to rest is one transaction: what steps side by side came to, and what the run asks for next, wait for
 * the disk once. Where the store is away a write is made again until it sticks: what was paid for is not lost
 * with it.
 */
export class RunWriter {
  readonly #options: RunWriterOptions;
  /** In the order of their numbers; those at the front may be on their way to the record. */
  readonly #waiting: Entry[] = [];
  /** Ends that the run has not been told of. */
  readonly #untold: Entry[] = [];
  #seq: number;
  #isOver = false;
  #isWriting = false;
  #reading = 0;

  constructor(options: RunWriterOptions) {
    this.#options = options;
    this.#seq = options.seq;
  }

  /** Whether the run waits for nothing that is being written, or read. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#reading === 0;
  }

  /**
   * @returns what the change comes to, once it is on record; never, once the run is another's
   * @throws what is no fault of the connection
   */
  write<Result>(make: (seq: number) => OwnerChange<Result>): Promise<Result> {
    const change = make(this.#seq + 1);
    // Each result is handed to whoever gave its change.
    return this.#add({ change }) as Promise<Result>;
  }

  /**
   * The end of a step. The run is told of ends in the order of the record.
   * @param isCheap it may be lost with the process and done again: the run goes on ahead of the record, and
   *   nothing that it then asks for begins before both are there
   */
  async end(make: (seq: number) => StepEnding, { isCheap }: { isCheap: boolean }): Promise<void> {
    const change = make(this.#seq + 1);
    await this.#add({ change, ending: { row: change.row, isCheap } });
  }

  /** Reads as surely as is written. */
  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#reading += 1;
    try {
      return await this.#untilItSticks(work);
    } finally {
      this.#reading -= 1;
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  #add(entry: Pick<Entry, 'change' | 'ending'>): Promise<unknown> {
    if (!entry.change.isUnnumbered) this.#seq += 1;
    return new Promise((resolve, reject) => {
      const added: Entry = { ...entry, isKept: false, resolve, reject };
      this.#waiting.push(added);
      if (added.ending) this.#untold.push(added);
      this.#tell();
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  #tell(): void {
    for (let next = this.#untold[0]; next?.ending; next = this.#untold[0]) {
      const { row, isCheap } = next.ending;
      const isAhead = isCheap && this.#waiting.length <= MAX_TOGETHER;
      if (!next.isKept && !isAhead) return;
      this.#untold.shift();
      this.#options.delivery.arrive(row);
    }
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0 && !this.#isOver) {
      await this.#gather();
      const last = this.#waiting.findIndex(({ change }) => change.isLast);
      const count = Math.min(MAX_TOGETHER, last < 0 ? this.#waiting.length : last + 1);
      await this.#writeTogether(this.#waiting.slice(0, count));
    }
    this.#isWriting = false;
  }

  /** The run computes until it waits again: what it asks for by then belongs to what it was told. */
  async #gather(): Promise<void> {
    const { delivery, on } = this.#options;
    const { ground } = on;
    const until = ground.now() + GATHER_MS;
    do await ground.turn();
    while (
      // What must not be lost is not kept waiting for what may come with it.
      !this.#isPressing &&
      delivery.isBusy &&
      this.#waiting.length < MAX_TOGETHER &&
      ground.now() < until
    );
  }

  get #isPressing(): boolean {
    return this.#waiting.some(({ ending }) => ending && !ending.isCheap);
  }

  async #writeTogether(entries: readonly Entry[]): Promise<void> {
    const { on, token } = this.#options;
    const changes = entries.map(({ change }) => change);
    try {
      const results = await this.#untilItSticks(() => asOwner(on, token, changes));
      for (const [at, entry] of entries.entries()) this.#keep(entry, results[at]);
      this.#tell();
    } catch (error) {
      // One of them can't be written, and none was: it alone is refused.
      if (entries.length > 1) await this.#writeApart(entries);
      else for (const entry of entries) this.#refuse(entry, error);
    }
  }

  async #writeApart(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) if (this.#waiting.includes(entry)) await this.#writeTogether([entry]);
  }

  #keep(entry: Entry, result: unknown): void {
    this.#waiting.shift();
    entry.isKept = true;
    entry.resolve(result);
  }

  #refuse(entry: Entry, error: unknown): void {
    this.#waiting.shift();
    const at = this.#untold.indexOf(entry);
    if (at >= 0) this.#untold.splice(at, 1);
    if (at >= 0 || !entry.ending) {
      entry.reject(error);
      return;
    }
    // What the run has asked for since stands on what is not so. Work that was done is kept all the same.
    const ends = this.#waiting.filter(({ ending, change }) => ending || change.isOutcome);
    const dropped = this.#waiting.filter((each) => !ends.includes(each) && !each.change.isLast);
    this.#waiting.splice(0, this.#waiting.length, ...ends);
    for (const each of dropped) each.reject(error);
    this.#options.onBroken(unkept(entry.ending.row.name, error));
  }

  /** Waits for the store for as long as the run is this process's: the door is its own. */
  async #untilItSticks<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (this.#isOver) return never();
      if (!(error instanceof LostRun)) throw error;
      this.stop();
      this.#options.onLost();
      return never();
    }
  }
}

interface Entry {
  readonly change: OwnerChange;
  readonly ending?: { readonly row: StepEnding['row']; readonly isCheap: boolean };
  isKept: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export function unkept(name: string, error: unknown): ToolError {
  const reason = error instanceof Error ? error.message : String(error);
  const text = `What the step "${name}" answered can't be kept: ${reason}. Answer plain JSON.`;
  return new ToolError('NEXUS_INTERNAL', text);
}

/** What a run that is not this process's any more waits for. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
