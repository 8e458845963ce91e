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
  let left = maxSteps;
  let depth = 0;
  return {
    spend(steps) {
      left -= steps;
      if (left < 0) throw new TooCostly(`takes more than ${maxSteps} steps to check`);
    },
    enter() {
      this.spend(SCHEMA_STEPS);
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooCostly(`leads more than ${MAX_DEPTH} schemas deep`);
    },
    leave() {
      depth -= 1;
    },
  };
}
