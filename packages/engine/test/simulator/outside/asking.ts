import type { Chance } from '../ground/chance.ts';
import type { SimulatedProcess } from '../ground/process.ts';
import type { World } from '../ground/world.ts';
import type { Endpoints } from './endpoints.ts';

/** Who asks gives up waiting for a server that says nothing. */
export const PATIENCE_MS = 20_000;

export interface Outside {
  readonly world: World;
  readonly chance: Chance;
  /** Processes that can be reached. */
  reachable(): readonly SimulatedProcess[];
  readonly endpoints: Endpoints;
  /** Ended runs are forgotten at once. */
  readonly isSwept: boolean;
}

export const LOST = Symbol('lost');

/** Asks a process for something, over a connection that ends with it. */
export async function ask<Result>(
  { world, chance }: Outside,
  process: SimulatedProcess,
  work: (signal: AbortSignal) => Promise<Result>,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<Result | Error | typeof LOST> {
  const gone = new AbortController();
  return new Promise((resolve) => {
    const answer = (result: Result | Error | typeof LOST) => {
      process.onGone.delete(lose);
      world.at(chance.between(0.1, 1), undefined, 'reply', () => resolve(result));
    };
    const lose = () => answer(LOST);
    process.onGone.add(lose);
    if (process.isGone) return lose();
    if (patienceMs !== Number.POSITIVE_INFINITY) {
      world.at(patienceMs, undefined, 'patience', () => {
        if (process.isStopped) lose();
      });
    }
    world.at(chance.between(0.1, 1), process, 'request', () => {
      work(gone.signal).then(answer, (error: unknown) =>
        answer(error instanceof Error ? error : new Error(String(error))),
      );
    });
  });
}

const PASSING = [
  'NEXUS_STORE_UNAVAILABLE',
  'NEXUS_SHUTTING_DOWN',
  'NEXUS_OUTCOME_UNKNOWN',
  // An earlier call under the key is still at its end.
  'NEXUS_UNAVAILABLE',
];

/** What a client answers by asking again, under the same key. */
export function isPassing(code: string): boolean {
  return PASSING.includes(code);
}

export async function somebody(
  outside: Outside,
  isFit: (process: SimulatedProcess) => boolean = () => true,
): Promise<SimulatedProcess> {
  for (;;) {
    const there = outside.reachable().filter(isFit);
    if (there.length > 0) return outside.chance.pick(there);
    await outside.world.wait(200, undefined, 'nobody is there');
  }
}
