import { expect, it } from 'vitest';
import { takeTurns } from './take-turns.ts';

it('lets one at a time, in the order of asking, also those who come as another leaves', async () => {
  const turns = takeTurns();
  const order: string[] = [];
  let inside = 0;
  const take = async (name: string) => {
    await turns.next();
    inside += 1;
    expect(inside).toBe(1);
    order.push(name);
    await Promise.resolve();
    inside -= 1;
    turns.done();
  };
  const first = take('a');
  const rest = ['b', 'c', 'd'].map(take);
  await first;
  await Promise.all([take('e'), ...rest]);
  await take('f');
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});
