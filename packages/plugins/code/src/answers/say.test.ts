import { expect, it } from 'vitest';
import { sayPage } from './say.ts';

it.each([
  [{ shown: 20, total: 53, nextOffset: 20 }, '20 of 53 hits; offset 20 gives the next.'],
  [{ shown: 13, total: 53 }, '13 of 53 hits.'],
  [{ shown: 53, total: 53 }, '53 hits.'],
  [{ shown: 0, total: 53 }, '0 of 53 hits: the offset is past the last.'],
  [{ shown: 0, total: 53, isLowerBound: true }, '0 of at least 53 hits: the offset is past the last.'],
  [{ shown: 0, total: 0 }, '0 hits.'],
])('says of %j where it stands', (page, said) => {
  expect(sayPage('hit', page)).toBe(said);
});
