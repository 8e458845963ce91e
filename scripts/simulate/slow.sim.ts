import { expect, it } from 'vitest';
import { findMutant } from './find-mutant.ts';
import { holdSeeds } from './hold-seeds.ts';
import { mutants } from './mutants.ts';

it('20 000 worlds hold', () => holdSeeds(20_000));

it.each(mutants)('$name is found', async (mutant) => {
  expect(await findMutant(mutant, { from: mutant.fromSeed ?? 1, count: 10_000 })).toBeDefined();
});
