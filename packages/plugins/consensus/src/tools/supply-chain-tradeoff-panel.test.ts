import { ToolError } from '@nexus/plugin-sdk';
import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { scriptedPanel } from '../../test/scripted-panel.ts';
import consensus from '../index.ts';
import type { PanelOutput } from '../panel/panel-run.ts';
import type { VoterName } from '../voters/voters.ts';

let plugin: PluginUnderTest;
afterEach(() => plugin.stop());

type Say = 'approve' | 'reject' | 'abstain';

/** What is said of each axis, in their order. */
async function start(says: (voter: VoterName) => readonly Say[] | Error) {
  const models = scriptedPanel((voter) => {
    const said = says(voter);
    if (said instanceof Error) return said;
    const verdicts = said.map((decision, at) => [
      `axis_${at + 1}`,
      { reasoning: `${voter} says ${decision}.`, decision, confidence: 0.5 },
    ]);
    return { object: Object.fromEntries(verdicts) };
  });
  plugin = await startPlugin(consensus, { models });
  return models;
}

const ask = (args: object = {}) =>
  plugin.answer<PanelOutput>('supply_chain_tradeoff_panel', { proposal: 'Vendor the parser.', ...args });

describe('supply_chain_tradeoff_panel', () => {
  it('counts each axis by itself, with the reasons, and is mixed where they differ', async () => {
    const models = await start((voter) => ['approve', voter === 'catfish' ? 'approve' : 'reject', 'abstain']);
    const answer = await ask({ context: 'It has 40 dependencies.' });
    expect(answer).toMatchObject({
      decision: 'mixed',
      why: 'It is better by build_time_determinism; not better by supply_chain_risk; undecided by update_cadence.',
      axes: [
        { axis: 'build_time_determinism', verdict: 'approve', approval: 1 },
        { axis: 'supply_chain_risk', verdict: 'reject' },
        { axis: 'update_cadence', verdict: 'undecided', why: 'No ballot takes a side.' },
      ],
      leftOut: [{ voter: 'ai_ml' }, { voter: 'pm' }],
      panelDiversity: { voters: 5, models: 2 },
    });
    expect(answer.axes[1]?.votes).toHaveLength(5);
    expect(answer.summary).toMatch(/^## Mixed\n\n[\s\S]*### supply_chain_risk: reject\n\n20% approve/);
    expect(answer.summary).toContain('Product was not asked. Nothing in it speaks of users');
    expect(models.requests).toHaveLength(5);
    expect(models.requests[0]?.prompt).toContain('Data from its context');
  });

  it.each<[Say, string]>([
    ['approve', 'approve'],
    ['reject', 'reject'],
  ])('where all axes say %s, so does the panel', async (said, decision) => {
    await start(() => [said, said]);
    const answer = await ask({ axes: ['license_risk', 'bus_factor'], quickMode: true });
    expect(answer).toMatchObject({ decision, axes: [{ axis: 'license_risk' }, { axis: 'bus_factor' }] });
    expect(answer.axes[0]?.votes).toHaveLength(3);
  });

  it('is undecided where more than half could not be had, and so not approved', async () => {
    await start((voter) => (voter === 'catfish' ? ['approve'] : new ToolError('NEXUS_MODEL_REFUSED', 'no')));
    expect(await ask({ axes: ['license_risk'] })).toMatchObject({
      decision: 'mixed',
      axes: [{ verdict: 'undecided' }],
    });
  });

  it('is on record, and no outcome can be told of it', async () => {
    await start(() => ['approve', 'approve', 'reject']);
    const { recordId } = await ask();
    const db = await plugin.host.store.open<Record<string, Record<string, unknown>>>('consensus', []);
    const rows = await db
      .selectFrom('consensus_ballots')
      .select('axis')
      .where('vote_id', '=', recordId)
      .execute();
    expect(rows).toHaveLength(15);
    const told = await plugin.call('tell_outcome', { recordId, outcome: 'right', source: 'x' });
    expect(told._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_CONFLICT' });
    expect(told.content[0]?.text).toContain('is a panel');
  });

  it.each([
    [['a', 'a'], 'stands there twice'],
    [['Not Snake'], 'snake_case'],
    [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'axes'],
  ])('refuses the axes %j', async (axes, text) => {
    await start(() => []);
    const { isError, content } = await plugin.call('supply_chain_tradeoff_panel', { proposal: 'x', axes });
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain(text);
  });
});
