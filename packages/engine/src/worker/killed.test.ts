import { expect, it } from 'vitest';
import { databases } from '../../test/engine-under-test.ts';
import { killAt, type Moment } from '../../test/killed.ts';

/** One in a step, one between parallel steps, one with a child begun; the slow tests have every one. */
const MOMENTS: readonly Moment[] = ['write 2', 'told 2', 'write 4', 'told 4'];

it('a process killed right after a write, or ahead of one, loses and repeats nothing', async () => {
  const [sqlite] = databases;
  const killed = MOMENTS.map((moment) => sqlite && killAt('run', sqlite.place, moment));
  expect(await Promise.all(killed)).toHaveLength(MOMENTS.length);
});
