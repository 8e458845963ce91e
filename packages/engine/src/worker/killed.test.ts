import { expect, it } from 'vitest';
import { databases } from '../../test/engine-under-test.ts';
import { killAt, type Moment } from '../../test/killed.ts';

const [sqlite] = databases;

/** One in a step, one between parallel steps, one with a child begun; the slow tests have every one, on each database. */
const MOMENTS: readonly Moment[] = ['write 2', 'told 2', 'write 4', 'told 4'];

it('a process killed right after a write, or ahead of one, loses and repeats nothing', async () => {
  const killed = MOMENTS.map((moment) => sqlite && killAt('run', sqlite.place, moment));
  expect(await Promise.all(killed)).toContain(true);
});

it('a process killed as an answer has come makes no call again', async () => {
  const moments: readonly Moment[] = ['paid 1', 'paid 3'];
  const killed = await Promise.all(moments.map((moment) => sqlite && killAt('paid', sqlite.place, moment)));
  expect(killed).toEqual(moments.map(() => true));
});
