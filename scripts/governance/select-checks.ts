import { nearestNames } from '@nexus/plugin-sdk';
import type { Check } from './check.ts';

/** The named checks, with or without `check:` before the name; all of them when none is named. */
export function selectChecks(checks: readonly Check[], names: readonly string[]): Check[] {
  const wanted = names.map((name) => name.replace(/^check:/, ''));
  const known = checks.map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearestNames(unknown, known)[0];
    throw new Error(
      `No check "${unknown}". ${near ? `Did you mean "${near}"? ` : ''}Checks: ${known.join(', ')}`,
    );
  }
  return checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
}
