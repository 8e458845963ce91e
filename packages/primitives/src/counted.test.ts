import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it.each([
  [0, 'file', undefined, '0 files'],
  [1, 'line', undefined, '1 line'],
  [2, 'line', undefined, '2 lines'],
  [2, 'class', undefined, '2 classes'],
  [2, 'search', undefined, '2 searches'],
  [2, 'server process', undefined, '2 server processes'],
  [1, 'reply', 'replies', '1 reply'],
  [3, 'reply', 'replies', '3 replies'],
])('%i %s', (count, one, many, told) => {
  expect(counted(count, one, many)).toBe(told);
});
