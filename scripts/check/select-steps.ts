import { nearestNames } from '@nexus/plugin-sdk';
import type { Step } from './steps.ts';

export interface Selection {
  /** These and what they need; none means all but those on request. */
  readonly only: readonly string[];
  /** Beside all others. */
  readonly also: readonly string[];
}

/** The steps that are asked for and those they need, in their own order. */
export function selectSteps(steps: readonly Step[], { only, also }: Selection): Step[] {
  const known = steps.map((step) => step.name);
  const named = [...only, ...also];
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearestNames(unknown, known)[0];
    throw new Error(
      `No step "${unknown}". ${near ? `Did you mean "${near}"? ` : ''}Steps: ${known.join(', ')}`,
    );
  }
  const isAsked = ({ name, onRequest }: Step) => named.includes(name) || (only.length === 0 && !onRequest);
  const needed = steps.filter(isAsked).flatMap((step) => step.needs ?? []);
  return steps.filter((step) => isAsked(step) || needed.includes(step.name));
}
