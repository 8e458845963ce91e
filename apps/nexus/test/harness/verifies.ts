import { it } from 'vitest';
import { type RequirementId, requirements } from '../e2e/requirements.ts';
import { type WayIn, waysIn } from './ways-in.ts';

/** A test that shows a requirement on the protocol, on each way in that it concerns. */
export function verifies(id: RequirementId, title: string, test: (way: WayIn) => Promise<void>): void {
  for (const way of waysFor(id)) it(`${title} [${id}, ${way.name}]`, () => test(way));
}

/**
 * A test that shows a requirement on the app as a whole: its processes, commands or package.
 * @param timeoutMs for tests that install packages
 */
export function verifiesApp(
  id: RequirementId,
  title: string,
  test: () => Promise<void>,
  timeoutMs?: number,
): void {
  it(`${title} [${id}]`, test, timeoutMs);
}

export function waysFor(id: RequirementId): readonly WayIn[] {
  const { about } = requirements[id];
  if (about === 'tool') return waysIn.slice(0, 1);
  return waysIn.filter(({ takesLines }) => takesLines || about !== 'lines');
}
