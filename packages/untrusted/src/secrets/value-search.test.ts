import fc from 'fast-check';
import { expect, it } from 'vitest';
import { valueSearch } from './value-search.ts';

const MIN = 4;

/** As an expression of them all has it, the longest first. */
function byExpression(values: readonly string[], text: string): string {
  const longest = [...new Set(values)].sort((one, other) => other.length - one.length);
  const escaped = longest.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return escaped.length === 0 ? text : text.replace(new RegExp(escaped.join('|'), 'g'), '*');
}

it('masks what an expression of all values would', () => {
  // Few letters, so that values begin with, end with and lie in each other.
  const value = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'é'), minLength: MIN, maxLength: 12 });
  const values = fc.array(value, { maxLength: 12 });
  const pieces = fc.array(fc.oneof(value, fc.string({ unit: fc.constantFrom('a', 'b', '.') })));
  fc.assert(
    fc.property(values, pieces, (all, made) => {
      const text = [...made, ...all].join('');
      expect(valueSearch(all, MIN).replace(text, '*')).toBe(byExpression(all, text));
    }),
    { numRuns: 2_000 },
  );
});

it('looks at no value that cannot stand where it looks, however many there are', () => {
  // As tokens of one issuer are: all begin alike.
  const beginning = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.';
  const values = Array.from({ length: 5_000 }, (_, index) => `${beginning}${index}`.padEnd(1_000, 'x'));
  const search = valueSearch(values, 8);
  expect(search.replace(`a ${values[4_321]} b`, '*')).toBe('a * b');
  const many = beginning.repeat(5_000);
  expect(search.replace(many, '*')).toBe(many);
});
