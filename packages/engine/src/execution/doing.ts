import type { Ground, Timer } from '../ground.ts';

export interface DoingParts {
  readonly ground: Ground;
  /** Whether nothing of the run is being written, or read. */
  isQuiet(): boolean;
  /** Whether the run has left this process. */
  isOver(): boolean;
  /** Whether it is about to, and begins nothing new. */
  isPausing(): boolean;
  /** How long a run that only waits is kept in memory. */
  parkAfterMs(): number;
  /** Parks the run's family, where all that is here of it only waits. @returns whether it does */
  parkFamily(): boolean;
  /** All that it does here now is to wait. */
  onResting(): void;
}

/** What one run does in this process at the moment: steps that work, and what it waits for. */
export class Doing {
  readonly #parts: DoingParts;
  /** What runs, with the step that it is of. */
  readonly #working = new Map<Promise<unknown>, string>();
  /** Steps that a child or a person is to answer, and who waits for it to be so. */
  readonly #awaited = new Map<string, (() => void)[]>();
  #idle = 0;
  /** Who waits for what the record says next. */
  readonly #listeners = new Set<() => void>();
  #parkTimer: Timer | undefined;

  constructor(parts: DoingParts) {
    this.#parts = parts;
  }

  /** Whether nothing of it runs. */
  get isDone(): boolean {
    return this.#working.size === 0;
  }

  /** Whether a child or a person is to answer a step. */
  get isAwaiting(): boolean {
    return this.#awaited.size > 0;
  }

  /** It does nothing but wait, as far as its steps go. */
  get onlyWaits(): boolean {
    const waits = this.#awaited.size > 0 || this.#idle > 0;
    return waits && this.#working.size === 0 && !this.#parts.isOver() && !this.#parts.isPausing();
  }

  /** Counts work that runs, so that the run is neither left nor parked above it. */
  async working<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
    const running = work();
    this.#working.set(running, step);
    this.stir();
    try {
      return await running;
    } finally {
      this.#working.delete(running);
      this.stir();
    }
  }

  /** A wait for time alone. */
  async idle(wait: Promise<unknown>): Promise<void> {
    this.#idle += 1;
    this.stir();
    try {
      await wait;
    } finally {
      this.#idle -= 1;
      this.stir();
    }
  }

  /**
   * Waits, doing nothing, for as long as `isOpen` says so of the record: asked now, and each time that something of the
   * run was put there from elsewhere.
   */
  async whileOpen(isOpen: () => Promise<boolean>): Promise<void> {
    for (;;) {
      let heard = () => {};
      const next = new Promise<void>((resolve) => {
        heard = resolve;
      });
      this.#listeners.add(heard);
      try {
        if (this.#parts.isOver() || !(await isOpen())) return;
        await this.idle(next);
      } finally {
        this.#listeners.delete(heard);
      }
    }
  }

  /** Something of the run was put on record from elsewhere. */
  heard(): void {
    for (const tell of this.#listeners) tell();
  }

  /** A child or a person is to answer this step. */
  awaits(step: string): void {
    this.#awaited.set(step, []);
    this.stir();
  }

  /** Resolves once the step has its answer. */
  untilAnswered(step: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#awaited.get(step);
      if (waiting) waiting.push(resolve);
      else resolve();
    });
  }

  /** @returns whether its answer was waited for */
  answered(step: string): boolean {
    const waiting = this.#awaited.get(step);
    for (const resolve of waiting ?? []) resolve();
    return this.#awaited.delete(step);
  }

  /** Looks again and again whether a run that does nothing but wait may be parked, with its family. */
  stir(): void {
    const { ground, isQuiet, onResting, parkAfterMs, parkFamily } = this.#parts;
    ground.clear(this.#parkTimer);
    if (!this.onlyWaits) return;
    if (isQuiet()) onResting();
    this.#parkTimer = ground.after(parkAfterMs(), () => {
      if (!parkFamily()) this.stir();
    });
    this.#parkTimer.unref();
  }

  /** @param byChildren steps that do nothing but wait for a run of the family that is here */
  isAtRest(byChildren: ReadonlySet<string>): boolean {
    if (this.#parts.isOver()) return true;
    const working = [...this.#working.values()];
    if (working.length === 0) return this.onlyWaits && this.#parts.isQuiet();
    return working.every((step) => byChildren.has(step));
  }

  /** Waits until nothing of it runs, or the time is over. */
  async settled(withinMs: number): Promise<void> {
    const { ground } = this.#parts;
    while (this.#working.size > 0) {
      const all = Promise.allSettled([...this.#working.keys()]);
      if (withinMs === Number.POSITIVE_INFINITY) {
        await all;
        continue;
      }
      let timer: Timer | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = ground.after(withinMs, () => resolve('late'));
      });
      const first = await Promise.race([all, late]);
      ground.clear(timer);
      if (first === 'late') return;
    }
  }

  /** The run has left: it is parked no more. */
  stop(): void {
    this.#parts.ground.clear(this.#parkTimer);
  }
}
