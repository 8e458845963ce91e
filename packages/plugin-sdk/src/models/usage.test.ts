import { expect, it } from 'vitest';
import { costLine, dollars, tookWords } from './usage.ts';

const TOKENS = { inputTokens: 1_200, outputTokens: 34 };

it('says calls, tokens, cost and time in one line', () => {
  expect(costLine({ calls: 4, ...TOKENS, costUsd: 0.012345 }, 61_234)).toBe(
    '4 model calls; 1200 tokens in, 34 out; $0.0123; 1 min 1 s',
  );
  expect(costLine({ ...TOKENS, costUsd: 0 })).toBe('1200 tokens in, 34 out; $0.0000');
});

it('never tells what nobody knows as nothing', () => {
  expect(costLine({ calls: 1, ...TOKENS }, 5)).toBe(
    '1 model call; 1200 tokens in, 34 out; cost not known; 0.0 s',
  );
  expect(costLine({ calls: 2, ...TOKENS, pricedUsd: 0.5 })).toBe(
    '2 model calls; 1200 tokens in, 34 out; $0.5000 and what has no known price',
  );
  expect(costLine({ calls: 2, ...TOKENS, costUsd: 0.5, unknownCalls: 1 })).toBe(
    '2 model calls; 1200 tokens in, 34 out; $0.5000; cost not known of 1 more call, interrupted',
  );
  // All that was asked.
  const interrupted = { inputTokens: 0, outputTokens: 0, unknownCalls: 3 };
  for (const calls of [0, undefined])
    expect(costLine({ calls, ...interrupted }, 400)).toBe('cost not known of 3 calls, interrupted; 0.4 s');
  expect(costLine({ calls: 2, ...TOKENS, costUsd: 0.5, isEstimated: true })).toContain('; about $0.5000');
  expect(dollars(0.00001)).toBe('less than $0.0001');
});

it('says nothing of a price where no model was asked, and tells apart what an earlier run had asked', () => {
  const none = { calls: 0, inputTokens: 0, outputTokens: 0 };
  expect(costLine(none, 400)).toBe('no model asked; 0.4 s');
  expect(costLine({ ...none, keptCalls: 3 })).toBe('no model asked; 3 calls kept from an earlier run');
  // Answered without a word of what it used.
  expect(costLine({ ...none, calls: 1 })).toBe('1 model call; cost not known');
});

it.each([
  [0, '0.0 s'],
  [59_940, '59.9 s'],
  [60_000, '1 min 0 s'],
  [200_000, '3 min 20 s'],
])('says %d ms as %s', (ms, words) => {
  expect(tookWords(ms)).toBe(words);
});
