import { describe, expect, it } from 'vitest';
import { databases } from '../engine-under-test.ts';
import { countWrites, killAfter } from '../killed.ts';

const AT_ONCE = 2;

describe.each(databases)('a process killed after any of its writes, on $name', ({ place }) => {
  it.each([
    { what: 'run', atLeast: 20 },
    { what: 'job', atLeast: 4 },
  ] as const)('loses and repeats nothing of a $what', async ({ what, atLeast }) => {
    const writes = await countWrites(what, place);
    expect(writes).toBeGreaterThanOrEqual(atLeast);
    let next = 1;
    const lane = async () => {
      while (next <= writes) {
        const count = next;
        next += 1;
        await killAfter(what, place, count);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  });
});
