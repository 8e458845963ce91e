import { expect } from 'vitest';
import { excess, type SoakReport } from './soak.ts';

/** The longest that anybody may wait for what others do. */
const MAX_WAIT_MS = 250;
/** Of a pause of the machine's: what came meanwhile is worked off after it, by all at once. */
const BACKLOG = 0.25;

/** Everybody was served in time, everybody attacked, and the server ended as it should. */
export function expectShortWaits({ longest, turns, waits, exit, stderr }: SoakReport): void {
  const told = JSON.stringify({ longest, turns, waits, exit });
  const tooLong = longest.filter((wait) => excess(wait) > MAX_WAIT_MS + BACKLOG * wait.machineMs);
  expect(tooLong, `${told}\n${stderr.slice(-2_000)}`).toEqual([]);
  for (const [kind, count] of Object.entries(turns)) expect(count, `${kind}: ${told}`).toBeGreaterThan(0);
  expect(Object.keys(turns), told).toHaveLength(3);
  expect(exit.code, told).toBe(0);
}
