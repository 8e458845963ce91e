import { expect, it } from 'vitest';
import { databases } from '../engine-under-test.ts';
import { countWrites, killAfter } from '../killed.ts';

const AT_ONCE = 2;

it.each(databases)(
  'a process killed after any of its writes loses and repeats nothing, on $name',
  async ({ place }) => {
    const writes = await countWrites(place);
    expect(writes).toBeGreaterThan(15);
    let next = 1;
    const lane = async () => {
      while (next <= writes) {
        const count = next;
        next += 1;
        await killAfter(place, count);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  },
);
