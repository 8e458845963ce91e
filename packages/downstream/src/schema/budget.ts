/** A check that would cost more than it is worth; the message completes `the schema …`. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly';
}

/** What one check may cost: a step is a keyword looked at, or a value compared; some 50 ms in all. */
const MAX_STEPS = 300_000;
/** To go into a schema, by a reference or not, takes as long as four values compared. */
const SCHEMA_STEPS = 4;
/** Schemas inside of schemas, and references followed. */
const MAX_DEPTH = 200;

/** What one check has left. */
export interface Budget {
  /** @throws {TooCostly} */
  spend(steps: number): void;
  /** Goes in by one schema. @throws {TooCostly} */
  enter(): void;
  leave(): void;
}

export function createBudget(maxSteps: number = MAX_STEPS): Budget {
  return new CheckBudget(maxSteps);
}

class CheckBudget implements Budget {
  readonly #maxSteps: number;
  #left: number;
  #depth = 0;

  constructor(maxSteps: number) {
    this.#maxSteps = maxSteps;
    this.#left = maxSteps;
  }

  spend(steps: number) {
    this.#left -= steps;
    if (this.#left < 0) throw new TooCostly(`takes more than ${this.#maxSteps} steps to check`);
  }

  enter() {
    this.spend(SCHEMA_STEPS);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooCostly(`leads more than ${MAX_DEPTH} schemas deep`);
  }

  leave() {
    this.#depth -= 1;
  }
}
