import { expect, it } from 'vitest';
import { wellLine } from './toolbox.ts';

it('says how many servers are well as a person would', () => {
  expect([wellLine(1, 2), wellLine(1, 1), wellLine(0, 1), wellLine(5, 5)]).toEqual([
    '1 of 2 servers is well.',
    '1 of 1 server is well.',
    '0 of 1 server is well.',
    '5 of 5 servers are well.',
  ]);
});
