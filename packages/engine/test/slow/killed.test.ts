import { describe, expect, it } from 'vitest';
import { databases } from '../engine-under-test.ts';
import { killAt, momentsOf } from '../killed.ts';

const AT_ONCE = 2;

describe.each(databases)('a process killed at any moment, on $name', ({ place }) => {
  it.each([
    { what: 'run', atLeast: 20 },
    { what: 'job', atLeast: 3 },
    { what: 'paid', atLeast: 8 },
  ] as const)('loses and repeats nothing of a $what', async ({ what, atLeast }) => {
    const moments = await momentsOf(what, place);
    expect(moments.length).toBeGreaterThanOrEqual(atLeast);
    const left = [...moments];
    const lane = async () => {
      for (let moment = left.shift(); moment; moment = left.shift()) await killAt(what, place, moment);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  });
});
