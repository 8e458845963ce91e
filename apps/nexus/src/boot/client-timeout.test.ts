import { expect, it } from 'vitest';
import { CLIENT_TIMEOUT, clientTimeoutMs } from './client-timeout.ts';

it.each([
  ['960000', 960_000],
  ['', undefined],
  ['soon', undefined],
  ['-1', undefined],
  ['Infinity', undefined],
])('a host that says it waits "%s" ms waits %s', (said, ms) => {
  expect(clientTimeoutMs({ [CLIENT_TIMEOUT]: said })).toBe(ms);
});

it('a host may say nothing of it', () => {
  expect(clientTimeoutMs({})).toBeUndefined();
});
