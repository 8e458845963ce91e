import { expect, it } from 'vitest';
import { assertNotOfOurs } from './run-mode.ts';

it('a server that a model’s command line has started refuses to be one', () => {
  expect(() => assertNotOfOurs({ NEXUS_DEPTH: '1' })).toThrow('NEXUS_DEPTH=1');
  expect(() => assertNotOfOurs({ NEXUS_DEPTH: '2' })).toThrow('without an end');
  expect(() => assertNotOfOurs({ NEXUS_DEPTH: '0' })).not.toThrow();
  expect(() => assertNotOfOurs({})).not.toThrow();
});
