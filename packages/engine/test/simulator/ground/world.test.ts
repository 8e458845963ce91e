import { expect, it } from 'vitest';
import { World } from './world.ts';

const inTurn = async (turns: number, then: () => void) => {
  for (let turn = 0; turn < turns; turn += 1) await undefined;
  then();
};

it('all that follows from one thing without a wait has happened before the next', async () => {
  const world = new World({ isTraced: false });
  const happened: string[] = [];
  for (let each = 0; each < 100; each += 1) {
    world.at(1, undefined, 'thing', () => {
      happened.push(`${each}`);
      void inTurn(50, () => process.nextTick(() => void inTurn(50, () => happened.push(`after ${each}`))));
    });
  }
  await world.run(() => false);
  expect(happened).toEqual(Array.from({ length: 100 }, (_, each) => [`${each}`, `after ${each}`]).flat());
});

it('is over at once where it is, and not a thing later', async () => {
  const world = new World({ isTraced: false });
  for (let each = 0; each < 100; each += 1) world.at(1, undefined, 'thing', () => {});
  await world.run(() => world.steps === 7);
  expect(world.steps).toBe(7);
});

it('ends with the error of what happens, and nothing happens after', async () => {
  const world = new World({ isTraced: false });
  world.at(1, undefined, 'fails', () => {
    throw new Error('a thing fails');
  });
  for (let each = 0; each < 100; each += 1) world.at(2, undefined, 'thing', () => {});
  await expect(world.run(() => false)).rejects.toThrow('a thing fails');
  await new Promise((resolve) => setImmediate(resolve));
  expect(world.steps).toBe(1);
});
