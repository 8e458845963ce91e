import { expect, it } from 'vitest';
import { standsIn } from './words.ts';

it.each([
  ['const a =\n  1;\nconst b = 2;', 'const a = 1;', true],
  ['const a = 1;', 'const a =\n\t1;', true],
  ['const a = 1;', 'const b = 1;', false],
  ['it is so', 'it is', false],
  ['anything', '', false],
])('words stand in a text however they are broken, if they say something: %j, %j', (text, words, stand) => {
  expect(standsIn(text, words)).toBe(stand);
});
