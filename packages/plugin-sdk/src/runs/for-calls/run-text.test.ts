import { expect, it } from 'vitest';
import { runText } from './run-text.ts';

it('is the result, then where what stands behind it is, then one line of what it cost', () => {
  const usage = { calls: 4, inputTokens: 1_200, outputTokens: 34, costUsd: 0.012345 };
  expect(runText('# Done\n\n', { runId: 'run_1', usage, tookMs: 61_234 })).toBe(
    [
      '# Done',
      '',
      '---',
      'What stands behind it, each step with what it was given and came to: nexus://runs/run_1',
      '4 model calls; 1200 tokens in, 34 out; 0.0123 US dollars; 61.2 s',
    ].join('\n'),
  );
});

it('says that a cost is not known, and nothing of a run where there was none', () => {
  expect(
    runText('x', { runId: 'run_1', usage: { calls: 1, inputTokens: 1, outputTokens: 2 }, tookMs: 5 }),
  ).toContain('1 model call; 1 tokens in, 2 out; cost not known; 0.005 s');
  expect(runText('# Dry run', {})).toBe('# Dry run');
});
