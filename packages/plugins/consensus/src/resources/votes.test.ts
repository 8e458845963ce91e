import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import { scriptedPanel } from '../../test/scripted-panel.ts';
import consensus from '../index.ts';
import { consensusOptions } from '../options.ts';
import { voteRecord } from '../record/vote-record.ts';
import { openRoom } from '../review/reading/room.ts';
import { voteRun } from '../vote/vote-run.ts';
import { votes } from './votes.ts';

it('shows everybody by HTTP their own votes alone, and the server’s own user all', async () => {
  const { host, stop } = await startPlugin(consensus, { models: scriptedPanel() });
  const vote = async (user: string | undefined, proposal: string) => {
    const caller = { session: { id: 'session' }, user };
    const { id } = await host.runs.start(voteRun, { proposal, quickMode: true }, { caller });
    await host.runs.wait(id, { signal: new AbortController().signal });
  };
  await vote('ann', 'of Ann');
  await vote('ben', 'of Ben');
  await vote(undefined, 'of nobody');
  const state = {
    options: consensusOptions.parse({}),
    record: voteRecord(host.store),
    room: openRoom(host.workers),
  };
  const shown = async (user?: string) => {
    const text = await votes.read({ state, host, user, roots: async () => [] });
    const listed = JSON.parse(text) as { votes: { proposal: string }[]; total: number };
    return [listed.votes.map(({ proposal }) => proposal).sort(), listed.total];
  };
  expect(await shown('ann')).toEqual([['of Ann'], 1]);
  expect(await shown('eve')).toEqual([[], 0]);
  expect(await shown()).toEqual([['of Ann', 'of Ben', 'of nobody'], 3]);
  await stop();
});
