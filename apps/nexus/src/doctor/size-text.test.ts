import { expect, it } from 'vitest';
import { sizeText } from './size-text.ts';

const MB = 1024 ** 2;

it.each([
  [0, '0 KB'],
  [1, '1 KB'],
  [0.8 * MB, '0.8 MB'],
  [412 * MB, '412 MB'],
  [75_264 * MB, '73.5 GB'],
])('says %d bytes as %s', (bytes, words) => {
  expect(sizeText(bytes)).toBe(words);
});
