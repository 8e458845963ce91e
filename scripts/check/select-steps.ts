import { nearestNames } from '@nexus/core';
import type { Step } from './steps.ts';

/** The named steps in their own order, and all of them when none is named. */
export function selectSteps(steps: readonly Step[], names: readonly string[]): Step[] {
  const known = steps.map((step) => step.name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearestNames(unknown, known)[0];
    throw new Error(
      `No step "${unknown}". ${near ? `Did you mean "${near}"? ` : ''}Steps: ${known.join(', ')}`,
    );
  }
  return steps.filter((step) => names.length === 0 || names.includes(step.name));
}
