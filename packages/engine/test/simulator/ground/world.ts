const PULSE_MS = 20;
/** Things that happen in one turn of Node.js's loop, which costs a call of the system. */
const A_TURN = 32;

/** Who something happens to: a process, or nobody who could die. */
export interface Actor {
  readonly name: string;
  isGone: boolean;
  isStopped: boolean;
  /** What has come for it while it was stopped. */
  readonly held: Due[];
}

interface Due {
  readonly at: number;
  readonly order: number;
  readonly actor: Actor | undefined;
  readonly what: string;
  readonly call: () => void;
  /** It was taken back. */
  isOff: boolean;
}

/**
 * Virtual time, and all that is to happen in it, one after another. Everything that ends an await of the code
 * under test goes through here; between two of them nothing else can happen.
 */
export class World {
  /** Milliseconds since the beginning. */
  now = 0;
  /** Things that happened. */
  steps = 0;
  /** Of all that happened, in order: two worlds of one hash went the same way. */
  hash = 0x811c9dc5;
  /** Told before each thing. */
  onStep: (step: number, actor: Actor | undefined) => void = () => {};
  /** What is wrong with the world; its first is its end. */
  readonly wrongs: string[] = [];
  readonly #due: Due[] = [];
  readonly #lines: string[] | undefined;
  #order = 0;

  constructor({ isTraced }: { readonly isTraced: boolean }) {
    this.#lines = isTraced ? [] : undefined;
  }

  get lines(): readonly string[] {
    return this.#lines ?? [];
  }

  /** @returns what takes it back */
  at(ms: number, actor: Actor | undefined, what: string, call: () => void): () => void {
    this.#order += 1;
    const due = { at: this.now + Math.max(0, ms), order: this.#order, actor, what, call, isOff: false };
    this.#push(due);
    return () => {
      due.isOff = true;
    };
  }

  wait(ms: number, actor: Actor | undefined, what = 'wait'): Promise<void> {
    return new Promise((resolve) => this.at(ms, actor, what, resolve));
  }

  /** Goes into the trace; the text is made only where there is one. */
  note(make: () => string): void {
    this.#lines?.push(`${this.now.toFixed(3).padStart(12)}  ${make()}`);
  }

  wrong(what: string): void {
    this.wrongs.push(what);
    this.note(() => `WRONG: ${what}`);
  }

  /** Lets things happen until it is so, or nothing is left to happen. */
  async run(isOver: () => boolean): Promise<void> {
    // In a process that had run much else, Node.js let an immediate lie until anything woke its loop: for good, with one
    // world after 87 of its steps.
    const pulse = setInterval(() => {}, PULSE_MS);
    try {
      await this.#goOn(isOver);
    } finally {
      clearInterval(pulse);
    }
  }

  async #goOn(isOver: () => boolean): Promise<void> {
    while (!isOver() && this.#due.length > 0) await this.#turn(isOver);
  }

  /** Many things, each by an immediate of its own: all that follows from one without a wait happens before the next. */
  #turn(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const immediates = Array.from({ length: A_TURN }, () =>
        setImmediate(() => {
          try {
            this.#happen(isOver);
          } catch (error) {
            immediates.forEach(clearImmediate);
            reject(error);
          }
        }),
      );
      immediates.push(setImmediate(resolve));
    });
  }

  /** The next thing that somebody is there for. */
  #happen(isOver: () => boolean): void {
    while (!isOver()) {
      const due = this.#pop();
      if (!due) return;
      const { actor } = due;
      if (due.isOff) continue;
      this.now = due.at;
      if (actor?.isGone) continue;
      if (actor?.isStopped) {
        actor.held.push(due);
        continue;
      }
      this.steps += 1;
      this.onStep(this.steps, actor);
      if (actor?.isGone || actor?.isStopped) {
        if (!actor.isGone) actor.held.push(due);
        continue;
      }
      this.#mix(due);
      due.call();
      return;
    }
  }

  /** Goes on after a stop: what came meanwhile is there at once, in its order. */
  carryOn(actor: Actor): void {
    actor.isStopped = false;
    for (const { call, isOff } of actor.held.splice(0)) if (!isOff) this.at(0, actor, 'held', call);
  }

  #mix({ at, actor, what }: Due): void {
    let hash = this.hash ^ Math.round(at * 1_000);
    for (let index = 0; index < what.length; index += 1)
      hash = Math.imul(hash ^ what.charCodeAt(index), 0x01000193);
    const name = actor?.name ?? '';
    for (let index = 0; index < name.length; index += 1)
      hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
    this.hash = hash;
    this.note(() => `${(actor?.name ?? '').padEnd(6)} ${what}`);
  }

  #push(due: Due): void {
    const heap = this.#due;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(due, heap[above] as Due)) break;
      heap[at] = heap[above] as Due;
      at = above;
    }
    heap[at] = due;
  }

  #pop(): Due | undefined {
    const heap = this.#due;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Due, heap[below] as Due)) below += 1;
      if (!isBefore(heap[below] as Due, last)) break;
      heap[at] = heap[below] as Due;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Due, other: Due): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
