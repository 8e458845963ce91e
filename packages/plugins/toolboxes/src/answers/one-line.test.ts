import { expect, it } from 'vitest';
import { oneLine } from './one-line.ts';

it.each([
  ['short', 10, 'short'],
  [' two\n\t lines ', 10, 'two lines'],
  ['exactly 10', 10, 'exactly 10'],
  ['eleven char', 10, 'eleven ch…'],
  ['a '.repeat(100), 6, 'a a a…'],
  ['🧰🧰🧰', 4, '🧰…'],
  ['', 10, ''],
])('%j in %i characters', (text, maxChars, line) => {
  expect(oneLine(text, maxChars)).toBe(line);
});
