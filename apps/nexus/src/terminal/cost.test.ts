import type { RunUsage } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { dollars, runCost, stepCost } from './cost.ts';

const run = (tokens: number, spentUsd: number, costUsd?: number) => ({
  budget: { spent: { tokens, costUsd: spentUsd }, reserved: { tokens: 0, costUsd: 0 } },
  usage: { calls: 1, ...(costUsd === undefined ? {} : { costUsd }) } as RunUsage, // what is read of it
});

it('never tells what nobody knows, or what is too little to show, as no dollars', () => {
  expect(dollars(0.0012)).toBe('$0.0012');
  expect(dollars(0.00001)).toBe('less than $0.0001');
  expect(stepCost({ tokens: 120, costUsd: 0 })).toBe('120 tokens');
  expect(stepCost({ tokens: 0, costUsd: 0 })).toBe('');
  expect(runCost(run(0, 0))).toBe('');
  expect(runCost(run(120, 0))).toBe('120 tokens, price not known');
  expect(runCost(run(120, 0, 0))).toBe('120 tokens, free of charge');
  expect(runCost(run(120, 0.0012, 0.0012))).toBe('120 tokens, $0.0012');
  expect(runCost(run(120, 0.0012))).toBe('120 tokens, $0.0012 and what has no known price');
});
