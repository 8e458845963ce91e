import { expect, it } from 'vitest';
import { databases } from '../../test/engine-under-test.ts';
import { killAfter } from '../../test/killed.ts';

/** One in a step, one between parallel steps, one with a child begun; the slow tests have every write. */
const WRITES = [2, 5, 9];

it('a process killed right after a write loses and repeats nothing', async () => {
  const [sqlite] = databases;
  const killed = WRITES.map((count) => sqlite && killAfter('run', sqlite.place, count));
  expect(await Promise.all(killed)).toHaveLength(WRITES.length);
});
