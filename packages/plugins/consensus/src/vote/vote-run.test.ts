import type { VoteOutput } from '@nexus/plugin-sdk';
import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import { scriptedPanel, textOf } from '../../test/scripted-panel.ts';
import consensus from '../index.ts';
import { voteRun } from './vote-run.ts';

it('is of one voter where a glance is asked for, who is to say what speaks against it', async () => {
  const models = scriptedPanel();
  const { host, stop } = await startPlugin(consensus, { models });
  const caller = { session: { id: 'session' } };
  const { id } = await host.runs.start(voteRun, { proposal: 'Let sum add.', isGlance: true }, { caller });
  const { output } = await host.runs.wait(id, { signal: new AbortController().signal });
  const { votes, summary } = output as VoteOutput;
  expect(votes).toHaveLength(1);
  expect(summary.split('It was put to one voter alone.')).toHaveLength(2);
  expect(summary).not.toContain('named among');
  expect(models.requests).toHaveLength(1);
  expect(models.requests.map(textOf)[0]).toContain('what speaks against this');
  await stop();
});
