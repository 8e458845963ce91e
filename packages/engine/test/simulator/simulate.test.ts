import { expect, it } from 'vitest';
import { openTables } from './database/template.ts';
import { scenarioOf } from './scenario.ts';
import { simulate } from './simulate.ts';

it('a seed repeats exactly, whatever was simulated before it', async () => {
  const database = await openTables();
  const hashOf = async (seed: number) => {
    const { hash, steps, statements } = await simulate(scenarioOf(seed), database);
    return { hash, steps, statements };
  };
  const first = new Map<number, unknown>();
  for (const seed of [1, 2, 3, 4, 5]) first.set(seed, await hashOf(seed));
  // A world in which no engine comes to anything is alike each time as well.
  for (const each of first.values())
    expect(each).toMatchObject({ statements: expect.toSatisfy((many) => many > 50) });
  for (const seed of [4, 2, 5, 1, 3]) expect(await hashOf(seed)).toEqual(first.get(seed));
  expect(new Set([...first.values()].map((each) => JSON.stringify(each))).size).toBe(5);
});
