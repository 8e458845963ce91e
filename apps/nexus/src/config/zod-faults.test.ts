import { expect, it } from 'vitest';
import { unknownKey } from './zod-faults.ts';

it('says of a section of an earlier version where it has gone', () => {
  expect(unknownKey(['consensus', 'github'], ['models', 'checks'])).toEqual({
    path: 'consensus.github',
    message: expect.stringMatching(/^no such key any more; it is sources\.github now, with baseUrl and key/),
  });
});
