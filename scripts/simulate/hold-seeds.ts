import { expect } from 'vitest';
import { bundle } from './bundle.ts';
import { runSeeds, showSeed } from './run-seeds.ts';

/** Fails with the first seed that goes wrong, and the least of its world that still does. */
export async function holdSeeds(count: number): Promise<void> {
  const file = await bundle();
  const { failures, done } = await runSeeds({ file, from: 1, count, isUntilFirst: true });
  const [first] = failures;
  if (first) expect.fail(await showSeed(file, { seed: first.seed, isTraced: false, isShrunk: true }));
  expect(done).toBe(count);
}
