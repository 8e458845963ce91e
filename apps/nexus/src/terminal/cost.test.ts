import { expect, it } from 'vitest';
import { stepCost } from './cost.ts';

it('tells of a step what was used, and a price only where something was paid', () => {
  expect(stepCost({ tokens: 120, costUsd: 0.0012 })).toBe('120 tokens, $0.0012');
  expect(stepCost({ tokens: 120, costUsd: 0 })).toBe('120 tokens');
  expect(stepCost({ tokens: 0, costUsd: 0 })).toBe('');
});
