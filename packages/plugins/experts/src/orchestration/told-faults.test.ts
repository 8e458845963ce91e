import { expect, it } from 'vitest';
import { partFaults } from './told-faults.ts';

it('faults that an answer ends with are claims of their own, and no more in the answer', () => {
  const output = 'It adds.\n\n## Faults\n\n- `total()` takes the first (src/a.ts:2).\n2. It never ends.\n';
  expect(partFaults(output)).toEqual({
    answer: 'It adds.',
    claims: ['`total()` takes the first (src/a.ts:2).', 'It never ends.'],
  });
});

it.each([
  'It adds.',
  'It adds.\n\n## Faults\n\nNone.',
  'It adds.\n\n## Faults\n\n- One.\n\nAnd a word on it.',
  'It adds.\n\n## Faults\n\n- One.\n\n## What it rests on\n\n- src/a.ts:2',
])('nothing of an answer is lost that ends otherwise: %j', (output) => {
  expect(partFaults(output)).toEqual({ answer: output, claims: [] });
});
