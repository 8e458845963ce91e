import { it } from 'vitest';
import { isSlowStep } from '../../../../vitest.slowly.ts';
import { type RequirementId, requirements } from '../e2e/requirements.ts';
import { type WayIn, waysIn } from './ways-in.ts';

export { isSlowStep };

type Test<Given extends unknown[]> = (...given: Given) => Promise<void>;

/** A test that shows a requirement on the protocol, on each way in that it concerns, in every check. */
export function verifies(id: RequirementId, title: string, test: Test<[WayIn]>): void {
  if (!isSlowStep) onWays(waysFor(id), id, title, test);
}

/**
 * The same, of a test that starts servers of its own, and would for each way in: by the first one in every check, by
 * the others in the slow step.
 */
export function verifiesAnew(id: RequirementId, title: string, test: Test<[WayIn]>): void {
  const ways = waysFor(id);
  onWays(isSlowStep ? ways.slice(1) : ways.slice(0, 1), id, title, test);
}

/**
 * A test that shows a requirement on the app as a whole: its processes, commands or package.
 * @param timeoutMs for tests that install packages
 */
export function verifiesApp(id: RequirementId, title: string, test: Test<[]>, timeoutMs?: number): void {
  if (!isSlowStep) it(`${title} [${id}]`, test, timeoutMs);
}

/** Shows more of a requirement that `verifiesApp` shows already, at a cost that only the slow step pays. */
export function slowlyVerifiesApp(
  id: RequirementId,
  title: string,
  test: Test<[]>,
  timeoutMs?: number,
): void {
  if (isSlowStep) it(`${title} [${id}]`, test, timeoutMs);
}

export function waysFor(id: RequirementId): readonly WayIn[] {
  const { about } = requirements[id];
  if (about === 'tool') return waysIn.slice(0, 1);
  return waysIn.filter(({ takesLines }) => takesLines || about !== 'lines');
}

function onWays(ways: readonly WayIn[], id: RequirementId, title: string, test: Test<[WayIn]>): void {
  for (const way of ways) it(`${title} [${id}, ${way.name}]`, () => test(way));
}
