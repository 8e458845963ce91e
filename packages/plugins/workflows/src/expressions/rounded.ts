import { isRounded } from '@nexus/primitives';

/** Of a number that is written, and would be passed on as another. */
export const WOULD_BE_ROUNDED =
  'would be rounded to another number; write it as a text in quotes where a text is taken, else with at most 15 digits';

/**
 * Whether a number is passed on as it was written, in YAML or in a text: with a sign, or by a base of its own, too.
 * @param value finite, what it is read as
 */
export function isKept(written: string, value: number): boolean {
  if (/^[-+]?0[box]/i.test(written)) return Number.isSafeInteger(value);
  return !isRounded(written.replace(/^\+/, ''));
}
