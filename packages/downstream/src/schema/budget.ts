import type { Members } from '@nexus/core/json-rpc';

/** A check that would cost more than it is worth; the message completes `the schema …`. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly';
}

/**
 * What one check may cost, some 50 ms in all: a step is a keyword looked at, a name enumerated or a value
 * compared. What takes longer than a step pays more of them, by the size of what it works on.
 */
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

/** The names of an object, paid for: an object that has many may be enumerated by many schemas. */
export function namesOf(record: Members, budget: Budget): readonly string[] {
  const names = Object.keys(record);
  budget.spend(names.length);
  return names;
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
