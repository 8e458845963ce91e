import { expect, it } from 'vitest';
import type { Run } from '../runs.ts';
import { failedRunText, runText, wayOnText, withoutRunText } from './run-text.ts';

it('is the result, then where what stands behind it is, then one line of what it cost', () => {
  const usage = { calls: 4, inputTokens: 1_200, outputTokens: 34, costUsd: 0.012345 };
  const text = runText('# Done\n\n', { runId: 'run_1', usage, tookMs: 21_234 });
  expect(text).toBe(
    [
      '# Done',
      '',
      '---',
      'What stands behind it, each step with what it was given and came to: nexus://runs/run_1',
      '4 model calls; 1200 tokens in, 34 out; $0.0123; 21.2 s',
    ].join('\n'),
  );
  expect(withoutRunText(text)).toBe('# Done');
});

it('says nothing of a run where there was none', () => {
  expect(runText('# Dry run', {})).toBe('# Dry run');
  expect(withoutRunText('# Dry run')).toBe('# Dry run');
});

it('has in the place of a result what the run came to, which is what is left without the rest', () => {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
  const run = {
    id: 'run_1',
    usage: { calls: 0 },
    ...{ createdAt: at(0), updatedAt: at(2), endedAt: at(2) },
  } as unknown as Run; // what is read of it
  const what = 'None is there:\nRun it again\n- a';
  const text = failedRunText(what, run);
  expect(text).toContain('resume_run goes on from there.\nSo far: ');
  expect(withoutRunText(text)).toBe(what);
  expect(text).toBe(`${what}\n${wayOnText(text)}`);
  expect(wayOnText(what)).toBe('');
});
