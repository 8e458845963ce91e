import type { Ground, Timer } from '../ground.ts';
import type { EndedStep } from '../record/steps.ts';
import type { StepRow } from '../record/tables.ts';

/** A run that asks for other steps than are on record: its code was changed on the way. */
export interface Departure {
  /** On record, and not asked for. */
  readonly missing: string;
  /** Asked for instead. */
  readonly asked: string | undefined;
}

/** How long a run may take from one step on record to asking for the next; it has only to compute. */
const GRACE_MS = 5_000;
/** A timer that comes later than so many times that says nothing of the run. */
const LATE = 1.1;

/**
 * Hands a run what its steps came to, one at a time and in the order in which it first got them, so that a
 * run that is done again goes the same way whatever ran side by side. New work begins once all that is on
 * record has been asked for: code that has changed since is found before it does anything.
 */
export class Delivery {
  readonly #recorded: readonly StepRow[];
  readonly #unasked: Set<string>;
  readonly #wanted = new Map<string, Wanted>();
  readonly #waiting: { readonly name: string; start(): void }[] = [];
  readonly #arrived: Arrival[] = [];
  /** Steps whose outcome nobody knows, each with what tells the run so. */
  readonly #untold = new Map<string, () => void>();
  /** Steps that look again and again for something, which may be another step's to bring about. */
  readonly #seeking = new Set<string>();
  readonly #onDeparture: (departure: Departure) => void;
  readonly #onHanded: (() => void) | undefined;
  readonly #graceMs: number;
  readonly #ground: Ground;
  #next = 0;
  #reading = 0;
  #isPumping = false;
  #isOver = false;
  #grace: Timer | undefined;

  constructor(
    history: readonly StepRow[],
    options: {
      readonly ground: Ground;
      readonly graceMs?: number | undefined;
      onDeparture(departure: Departure): void;
      /** The run has computed on what it was handed, until it waits again. */
      onHanded?(): void;
    },
  ) {
    const ended = history.filter(({ end_seq }) => end_seq !== null);
    this.#recorded = ended.sort((a, b) => (a.end_seq ?? 0) - (b.end_seq ?? 0));
    this.#unasked = new Set(history.map(({ name }) => name));
    this.#onDeparture = options.onDeparture;
    this.#onHanded = options.onHanded;
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.#ground = options.ground;
  }

  /** The first step on record that the run has not asked for. */
  get unasked(): string | undefined {
    const [first] = this.#recorded.filter(({ name }) => this.#unasked.has(name));
    return first?.name ?? [...this.#unasked][0];
  }

  /** Whether the run is being handed something, or computes on what it was handed. */
  get isBusy(): boolean {
    return this.#isPumping;
  }

  /**
   * Resolves with a step's row when it is its turn.
   * @param start begins its work, where it has not ended on record; as soon as the run is where its record ends
   */
  outcome(name: string, start: (() => void) | undefined): Promise<EndedStep> {
    this.#unasked.delete(name);
    const turn = new Promise<EndedStep>((resolve, reject) => this.#wanted.set(name, { resolve, reject }));
    if (!start) this.#pump();
    else if (!this.#isReplaying && this.#waiting.length === 0) start();
    else {
      this.#waiting.push({ name, start });
      this.#pump();
    }
    return turn;
  }

  /** A step has just ended on record. Told in the order of the record. */
  arrive(row: EndedStep): void {
    this.#arrived.push({ name: row.name, row });
    this.#pump();
  }

  /** A step can have no end on record. */
  fail(name: string, error: unknown): void {
    this.#arrived.push({ name, error });
    this.#pump();
  }

  /**
   * Nobody knows what came of a step: that is told once the run waits for nothing else. Whoever is told so has the run
   * go on, and what it does after it was told may be another thing then: what is done side by side is done before.
   * @param tell gives it its place in the run's order
   */
  tellLast(name: string, tell: () => void): void {
    this.#untold.set(name, tell);
    this.#pump();
  }

  /** Reads what the run is handed: until that is there, and the run has asked for what comes next, it is not at rest. */
  async reading<Value>(read: () => Promise<Value>): Promise<Value> {
    this.#reading += 1;
    this.#watch();
    try {
      return await read();
    } finally {
      this.#reading -= 1;
      this.#watch();
      if (this.#untold.size > 0) this.#pump();
    }
  }

  /** From now on a step waits for what may come of the run itself: nothing waits for it. */
  seeks(name: string): void {
    this.#seeking.add(name);
    this.#pump();
  }

  stop(): void {
    this.#isOver = true;
    this.#ground.clear(this.#grace);
  }

  get #isReplaying(): boolean {
    return this.#next < this.#recorded.length || this.#unasked.size > 0;
  }

  #pump(): void {
    if (this.#isPumping || this.#isOver) return;
    this.#isPumping = true;
    this.#ground.clear(this.#grace);
    void this.#deliverAll().finally(() => {
      this.#isPumping = false;
      this.#watch();
      this.#onHanded?.();
    });
  }

  async #deliverAll(): Promise<void> {
    do {
      // The run computes until it waits again: what it then asks for depends on nothing that comes later.
      await this.#ground.turn();
    } while (!this.#isOver && this.#deliverOne());
  }

  /** @returns whether there was something to do */
  #deliverOne(): boolean {
    const recorded = this.#recorded[this.#next];
    if (recorded) {
      if (!this.#wanted.has(recorded.name)) return false;
      this.#next += 1;
      this.#hand({ name: recorded.name, row: recorded });
      return true;
    }
    if (this.#unasked.size > 0) return false;
    const waiting = this.#waiting.splice(0);
    for (const { start } of waiting) start();
    if (waiting.length > 0) return true;
    const arrival = this.#arrived.shift();
    if (!arrival) return this.#tellUnknown();
    this.#hand(arrival);
    return true;
  }

  /** Of several all at once: whoever is told of one is told of them all. */
  #tellUnknown(): boolean {
    if (this.#reading > 0) return false;
    for (const name of this.#wanted.keys()) {
      if (!this.#untold.has(name) && !this.#seeking.has(name)) return false;
    }
    const tellings = [...this.#untold.values()];
    this.#untold.clear();
    for (const tell of tellings) tell();
    return tellings.length > 0;
  }

  #hand(arrival: Arrival): void {
    const wanted = this.#wanted.get(arrival.name);
    this.#wanted.delete(arrival.name);
    if ('row' in arrival) wanted?.resolve(arrival.row);
    else wanted?.reject(arrival.error);
  }

  /** A run that waits for other steps than the next one on record may have been changed; one that still reads has not. */
  #watch(): void {
    this.#ground.clear(this.#grace);
    if (this.#isOver || this.#reading > 0 || this.#wanted.size === 0 || !this.#isReplaying) return;
    const armedAt = this.#ground.now();
    this.#grace = this.#ground.after(this.#graceMs, () => {
      // So late, the process stood still meanwhile, and the run with it.
      if (this.#ground.now() - armedAt > LATE * this.#graceMs) return this.#watch();
      const missing = this.unasked;
      const [asked] = this.#wanted.keys();
      if (missing !== undefined) this.#onDeparture({ missing, asked });
    });
    this.#grace.unref();
  }
}

interface Wanted {
  resolve(row: EndedStep): void;
  reject(error: unknown): void;
}

type Arrival = { readonly name: string } & ({ readonly row: EndedStep } | { readonly error: unknown });
