import { it } from 'vitest';
import { holdSeeds } from './hold-seeds.ts';

it('2 000 worlds hold', () => holdSeeds(2_000));
