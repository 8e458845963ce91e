import { expect, it } from 'vitest';
import { takenIn } from './taken-from-tests.ts';

const diff = (...lines: readonly string[]) => ['--- a/sum.test.js', '+++ b/sum.test.js', ...lines].join('\n');

it('is what said what must be so and stands there no more, after its file', () => {
  expect(takenIn(diff('-assert.equal(sum(1, 1), 2);', '+assert.ok(true);'))).toEqual([
    'sum.test.js: assert.equal(sum(1, 1), 2);',
  ]);
  expect(takenIn('--- a/sum.test.js\n+++ /dev/null\n-expect(sum(1, 1)).toBe(2);')).toHaveLength(1);
});

it('is neither what was moved, nor an import, nor a comment', () => {
  const moved = ['-assert.equal(sum(1, 1), 2);', '+  assert.equal(sum(1, 1), 2);'];
  expect(takenIn(diff(...moved, "-import { sum } from './sum.js';", '-// assert.equal(1, 1);'))).toEqual([]);
});
