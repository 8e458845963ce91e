import { describe, expect, it } from 'vitest';
import { machine } from '../ground.ts';
import { stillOurs } from './still-ours.ts';

/** Asks at the time 0, by a clock that is so far on after each answer. */
async function asking({ sureAt, after }: { sureAt: number; after: readonly number[] }) {
  let now = 0;
  let asked = 0;
  const at = await stillOurs({ ...machine, now: () => now }, sureAt, async () => {
    now = after[asked] ?? now;
    asked += 1;
  });
  return { at, asked };
}

describe('whose a run is', () => {
  it.each([
    ['is not asked where the last word is of just now', -999, [], { asked: 0, at: -999 }],
    ['is asked once where that is of a second ago', -1_000, [999], { asked: 1, at: 0 }],
    [
      'is asked again where the process stood still until it read the answer',
      -1_000,
      [60_000],
      { asked: 2, at: 60_000 },
    ],
    ['is asked three times at most', -1_000, [1e6, 2e6, 3e6, 4e6], { asked: 3, at: 2e6 }],
  ])('%s', async (_, sureAt, after, expected) => {
    expect(await asking({ sureAt, after })).toEqual(expected);
  });

  it('is told by how the question fails', async () => {
    const lost = new Error('lost');
    const asked = stillOurs({ ...machine, now: () => 0 }, -60_000, () => Promise.reject(lost));
    await expect(asked).rejects.toBe(lost);
  });
});
