import { describeDifference, differences } from '../../../apps/nexus/src/governance/drift/differences.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';
import { LOCK_FILE, type ProductLock, readLock, readWay, type WayReading } from '../lock.ts';
import type { WayIn } from '../ways-in/way-in.ts';
import { waysIn } from '../ways-in/ways-in.ts';

const NAME = 'live-tools';
/** For a way that differs while the server from source does not. */
const REBUILD = 'run `pnpm build`: what is built is older than the source, or this way changes definitions';
const UPDATE = 'run `pnpm governance update` if it is meant, and review the lock’s change';

export const liveTools: Check = {
  name: NAME,
  proves: 'the running server serves the lock, whole and the same, by every way in',
  async run({ workspace }) {
    const locked = readLock(workspace);
    if (!locked) return [{ check: NAME, where: LOCK_FILE, what: 'is not there', fix: UPDATE }];
    const readings: WayReading[] = [];
    const unreadable: Finding[] = [];
    for (const way of waysIn) {
      await readWay(way).then(
        (reading) => readings.push(reading),
        (error: unknown) => unreadable.push(unreadableWay(way, error)),
      );
    }
    return [...unreadable, ...compareReadings(locked, readings)];
  },
};

/** What differs between the lock and each reading, and between the readings. */
export function compareReadings(locked: ProductLock, readings: readonly WayReading[]): Finding[] {
  const [first, ...others] = readings;
  if (!first || Object.keys(first.lock.tools).length === 0) return lookedAtNothing(NAME, 'served tools');
  const drift = driftOf(locked, first, UPDATE);
  const fix = drift.length === 0 ? REBUILD : UPDATE;
  return [
    ...drift,
    ...others.flatMap((reading) => driftOf(locked, reading, fix)),
    ...others.flatMap((reading) => reorderedKeys(first, reading)),
  ];
}

function driftOf(locked: ProductLock, { way, lock, faults }: WayReading, fix: string): Finding[] {
  const { budgets, ...served } = locked;
  const comparable = lock.budgets ? locked : served;
  return [
    ...faults.map((what) => ({ check: NAME, where: way, what, fix: 'mend the definition' })),
    ...differences({ ...comparable }, { ...lock }).map((difference) => ({
      check: NAME,
      where: way,
      what: describeDifference(difference),
      fix,
    })),
  ];
}

/** A prompt cache knows a list by its bytes, so keys come in one order too. */
function reorderedKeys(first: WayReading, other: WayReading): Finding[] {
  const [a, b] = [first.lock.tools, other.lock.tools];
  return Object.keys(a)
    .filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
    .filter(
      (name) => differences({ tools: { [name]: a[name] } }, { tools: { [name]: b[name] } }).length === 0,
    )
    .map((name) => ({
      check: NAME,
      where: other.way,
      what: `serves ${name} with its keys in another order than ${first.way}`,
      fix: 'hand the definition on as it is',
    }));
}

function unreadableWay({ name }: WayIn, error: unknown): Finding {
  const what = `could not be read: ${error instanceof Error ? error.message : String(error)}`;
  return { check: NAME, where: name, what, fix: 'run `pnpm build`, then `pnpm nexus doctor`' };
}
