import { nearestNames } from '@nexus/plugin-sdk';
import type { Step } from './steps.ts';

/** The named steps and those they need, in their own order; all of them when none is named. */
export function selectSteps(steps: readonly Step[], names: readonly string[]): Step[] {
  const known = steps.map((step) => step.name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearestNames(unknown, known)[0];
    throw new Error(
      `No step "${unknown}". ${near ? `Did you mean "${near}"? ` : ''}Steps: ${known.join(', ')}`,
    );
  }
  const needed = steps.filter((step) => names.includes(step.name)).flatMap((step) => step.needs ?? []);
  return steps.filter(({ name }) => names.length === 0 || names.includes(name) || needed.includes(name));
}
