import { expect, it } from 'vitest';
import { amount } from './rerun-run.ts';

it('says what is to be paid, what is not known of it, and that nothing is only where nothing is', () => {
  expect(amount({ tokens: 0, costUsd: 0 })).toBe('nothing');
  expect(amount({ tokens: 110, costUsd: 0.5 })).toBe('110 tokens, $0.5000');
  expect(amount({ tokens: 0, costUsd: 0 }, 1)).toBe('not known of 1 call');
  expect(amount({ tokens: 110, costUsd: 0 }, 3)).toBe('at least 110 tokens; not known of 3 calls');
});
