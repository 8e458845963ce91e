import { definePlugin, defineRun, voteConditions, vote as voteContract } from '@nexus/plugin-sdk';
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, expect, it } from 'vitest';
import { MATTER, textOf, voterOf } from '../../test/scripted-panel.ts';
import consensus from '../index.ts';
import { consensusOptions } from '../options.ts';
import { migrations } from '../record/migrations.ts';
import type { Tables } from '../record/tables.ts';
import { voteRecord } from '../record/vote-record.ts';
import { openRoom } from '../review/reading/room.ts';
import { vote } from './vote.ts';

/** As a pipeline has it: a vote before the work, whose conditions are checked once that is done. */
const pipeline = defineRun({
  name: 'consensus.pipeline',
  version: 1,
  async run(_: null, run) {
    const before = await run.child('vote', voteContract, {
      proposal: MATTER,
      quickMode: true,
      isBeforeWork: true,
    });
    const { conditions } = before;
    const { summary } = await run.child('conditions', voteConditions, {
      proposal: MATTER,
      conditions,
      work: 'The old name works.',
    });
    return { ...before, summary };
  },
});

const withPipeline = definePlugin({ ...consensus, runs: [...(consensus.runs ?? []), pipeline] });

let plugin: PluginUnderTest;
afterEach(() => plugin.stop());

const read = async (recordId: string, user?: string) => {
  const { host } = plugin;
  const state = {
    options: consensusOptions.parse({}),
    record: voteRecord(host.store),
    room: openRoom(host.workers),
  };
  return JSON.parse(await vote.read({ recordId }, { state, host, user, roots: async () => [] }));
};

async function heldWithin(user?: string) {
  const models = scriptedModels((request) => {
    if (textOf(request).startsWith('You check whether conditions'))
      return {
        object: {
          conditions: [{ condition: 1, why: 'It does.', restsOn: ['The old name works.'], state: 'met' }],
        },
      };
    const voter = voterOf(request);
    const own = voter === 'security' ? { conditions: ['The old name still works.'] } : {};
    return { object: { reasoning: `${voter} has looked.`, decision: 'approve', confidence: 0.8, ...own } };
  });
  plugin = await startPlugin(withPipeline, { models });
  const caller = { session: { id: 'session' }, user };
  const { id } = await plugin.host.runs.start(pipeline, null, { caller });
  const { output } = await plugin.host.runs.wait(id, { signal: new AbortController().signal });
  return output as { readonly recordId: string; readonly summary: string };
}

it('has the whole of a vote within another run, with what became of its conditions once the work was done', async () => {
  const { recordId, summary, ...answered } = await heldWithin();
  const whole = await read(recordId);
  const conditions = [{ text: 'The old name still works.', by: ['security'], state: 'met', why: 'It does.' }];
  expect(answered).toMatchObject({
    conditions: [{ ...conditions[0], state: 'unknown', why: expect.anything() }],
  });
  expect(whole).toMatchObject({ ...answered, conditions, recordId, kind: 'vote', proposal: MATTER });
  expect(whole.votes).toContainEqual(
    expect.objectContaining({ voter: 'security', reasoning: 'security has looked.' }),
  );
  expect(whole.summary).toBe(summary);
  expect(summary).toContain('- **met**: The old name still works. (Security). It does.');
  await voteRecord(plugin.host.store).tellOutcome(recordId, 'wrong', 'rolled back');
  expect(await read(recordId)).toMatchObject({
    ...{ outcome: 'wrong', outcomeSource: 'rolled back', outcomeAt: expect.any(String) },
  });
});

it('is another user’s as little as one that is not there', async () => {
  const { recordId } = await heldWithin('ann');
  expect(await read(recordId, 'ann')).toMatchObject({ recordId });
  for (const [id, user] of [[recordId, 'ben'] as const, ['none', undefined] as const])
    await expect(read(id, user)).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
});

it('has of a vote that was held before the whole was kept its ballots, with their reasons', async () => {
  const { recordId } = await heldWithin();
  const db = await plugin.host.store.open<Tables>('consensus', migrations);
  await db.updateTable('consensus_votes').set({ told: null }).execute();
  const whole = await read(recordId);
  expect(whole.votes).toHaveLength(3);
  expect(whole.summary).toContain('- **security** (approve): security has looked.');
});
