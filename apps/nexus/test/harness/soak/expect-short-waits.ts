import { expect } from 'vitest';
import { excess, type SoakReport, type Wait } from './soak.ts';

/** The longest that anybody may wait for what others do. */
const MAX_WAIT_MS = 250;
/** Of a pause of the machine's: what came meanwhile is worked off after it, by all at once. */
const BACKLOG = 0.25;

/**
 * Everybody was served in time, everybody attacked, and the server ended as it should. On a machine that others keep
 * busy, too, a wait for a disk or for the collector's own threads is the machine's: there the server is to blame for
 * what its thread ran meanwhile.
 */
export function expectShortWaits({ longest, turns, waits, exit, stderr, wasBusy }: SoakReport): void {
  const told = JSON.stringify({ longest, turns, waits, exit });
  const isToBlame = ({ ranMs = Number.POSITIVE_INFINITY }: Wait) => !wasBusy || ranMs > MAX_WAIT_MS;
  const isTooLong = (wait: Wait) => excess(wait) > MAX_WAIT_MS + BACKLOG * wait.machineMs;
  const tooLong = longest.filter((wait) => isTooLong(wait) && isToBlame(wait));
  expect(tooLong, `${told}\n${stderr.slice(-2_000)}`).toEqual([]);
  for (const [kind, count] of Object.entries(turns)) expect(count, `${kind}: ${told}`).toBeGreaterThan(0);
  expect(Object.keys(turns), told).toHaveLength(5);
  expect(exit.code, told).toBe(0);
}

/** In which form it was held, and how near it came: who reads only that it passed would take either for the strict one. */
export function toldOf({ longest, waits, wasBusy }: SoakReport): string {
  const form = wasBusy
    ? 'on a busy machine, by what the server’s thread ran meanwhile'
    : 'strictly, by what anybody waited';
  const ms = (of: (wait: Wait) => number) => Math.round(Math.max(0, ...longest.map(of)));
  return `Soak, held ${form}: of ${waits} waits the longest was ${ms(excess)} ms beyond the machine’s own, and the thread ran for ${ms(({ ranMs = 0 }) => ranMs)} ms of the ten longest at the most.`;
}
