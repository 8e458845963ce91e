import { expect, it } from 'vitest';
import { inTurn } from './in-turn.ts';

it('does work on one path after what was begun before it, however that ended, and on another beside it', async () => {
  const told: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = inTurn('/a', async () => {
    await held;
    told.push('first');
    throw new Error('it failed');
  });
  const second = inTurn('/a', async () => told.push('second'));
  await inTurn('/b', async () => told.push('beside'));
  release();
  await expect(first).rejects.toThrow('it failed');
  await second;
  await inTurn('/a', async () => told.push('later'));
  expect(told).toEqual(['beside', 'first', 'second', 'later']);
});
