import { expect, it } from 'vitest';
import { exampleLines } from './example-lines.ts';

const EXAMPLE = 'run "Where could a login be forged?"      # by orchestrate';

it('what an example is for stands beside it where there is room, and else above it', () => {
  expect(exampleLines(EXAMPLE, 100)).toEqual([`  nexus ${EXAMPLE}`]);
  expect(exampleLines(EXAMPLE, 60)).toEqual([
    '  # by orchestrate',
    '  nexus run "Where could a login be forged?"',
  ]);
  expect(exampleLines('runs', 5)).toEqual(['  nexus runs']);
});
