import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import { type PluginUnderTest, type ScriptedAnswer, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { scriptedPanel, TWO_MODELS, textOf, voterOf } from '../../test/scripted-panel.ts';
import consensus from '../index.ts';
import type { PanelOutput } from '../panel/panel-run.ts';
import type { VoterName } from '../voters/voters.ts';

let plugin: PluginUnderTest;
let projectRoot: string;
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
    return { object: { verdicts: Object.fromEntries(verdicts) } };
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

const AXES = ['license_risk', 'bus_factor'];
const FLAW = { claim: 'It subtracts.', evidence: 'sum.js:2 has `return a - b;`' };

interface Judge {
  readonly verdicts?: readonly { readonly decision: Say; readonly conditions?: readonly string[] }[];
  readonly objection?: typeof FLAW;
  readonly holds?: boolean;
  readonly reasoning?: string;
}

/** A panel of three by two axes over a project with one file; by default everybody approves and holds no objection. */
async function startBound(
  says: (voter: VoterName, isAgain: boolean) => Judge | Error,
  checks: readonly object[] = [],
) {
  projectRoot = mkdtempSync(join(tmpdir(), 'nexus-panel-'));
  writeFileSync(join(projectRoot, 'sum.js'), 'export function sum(a, b) {\n  return a - b;\n}\n');
  const models = scriptedModels(
    (request): ScriptedAnswer => {
      const text = textOf(request);
      if (text.includes('You check whether conditions are met')) return { object: { conditions: checks } };
      const isAgain = text.includes('Before anything is decided');
      const said = says(voterOf(request), isAgain);
      if (said instanceof Error) return said;
      const {
        verdicts = [{ decision: 'approve' }, { decision: 'approve' }],
        objection,
        holds = false,
      } = said;
      const { reasoning = 'So it is.' } = said;
      const byAxis = verdicts.map((each, at) => [`axis_${at + 1}`, { reasoning, confidence: 0.5, ...each }]);
      return {
        object: {
          verdicts: Object.fromEntries(byAxis),
          ...(objection ? { objection } : {}),
          ...(isAgain ? { objections: [{ because: 'I looked.', holds }] } : {}),
        },
      };
    },
    { models: TWO_MODELS },
  );
  plugin = await startPlugin(consensus, { models, projectRoot });
  return models;
}

describe('what binds a panel beside its ballots', () => {
  afterEach(() => rmSync(projectRoot, { recursive: true, force: true }));
  const askThree = () => ask({ axes: AXES, quickMode: true });

  it('is a condition: not met, it counts against the axis it was made for, and no other', async () => {
    const under = { decision: 'approve', conditions: ['the licence is MIT'] } as const;
    await startBound(
      (voter) => (voter === 'architect' ? {} : { verdicts: [under, { decision: 'approve' }] }),
      [{ condition: 1, why: 'It is GPL.', restsOn: [], state: 'not_met' }],
    );
    const answer = await askThree();
    expect(answer).toMatchObject({
      decision: 'mixed',
      axes: [
        { axis: 'license_risk', verdict: 'reject', approval: 1 / 3 },
        { axis: 'bus_factor', verdict: 'approve', approval: 1 },
      ],
      conditions: [{ text: 'the licence is MIT', by: ['security', 'scope_steward'], state: 'not_met' }],
    });
    expect(answer.summary).toContain(
      '- **not met**: the licence is MIT (Security, Scope steward). It is GPL.',
    );
  });

  it('is an objection with evidence, which goes once to the others: upheld, it lets no axis approve', async () => {
    const models = await startBound((voter, isAgain) =>
      voter === 'security' ? { objection: FLAW } : { holds: isAgain },
    );
    const answer = await askThree();
    expect(answer).toMatchObject({
      decision: 'reject',
      objections: [{ by: 'security', outcome: 'upheld', answers: { length: 2 } }],
    });
    expect(answer.summary).toContain('**Security** (upheld): It subtracts.');
    const again = models.requests.filter((request) => textOf(request).includes('Before anything is decided'));
    expect(again.map(voterOf)).toEqual(['architect', 'scope_steward']);
  });

  it.each([
    ['is answered where the others do not hold it', FLAW, 'approve', 'answered', 5],
    ['binds nobody without evidence', { ...FLAW, evidence: 'It feels wrong.' }, 'approve', 'no_evidence', 3],
  ])('is an objection that %s', async (_, objection, decision, outcome, calls) => {
    const models = await startBound((voter) => (voter === 'security' ? { objection } : {}));
    expect(await askThree()).toMatchObject({ decision, objections: [{ outcome }] });
    expect(models.requests).toHaveLength(calls);
  });

  it('is a condition that an objection does not make its voter forget', async () => {
    const under = { decision: 'approve', conditions: ['the licence is MIT'] } as const;
    const checks = [{ condition: 1, why: 'It is GPL.', restsOn: [], state: 'not_met' }];
    const models = await startBound((voter, isAgain) => {
      if (voter === 'architect') return { objection: FLAW };
      return isAgain ? {} : { verdicts: [under, { decision: 'approve' }] };
    }, checks);
    expect(await askThree()).toMatchObject({
      axes: [{ verdict: 'reject', approval: 1 / 3 }, { verdict: 'approve' }],
      objections: [{ outcome: 'answered' }],
      conditions: [{ text: 'the licence is MIT', by: ['security', 'scope_steward'], state: 'not_met' }],
    });
    const [again] = models.requests.filter((request) =>
      textOf(request).includes('Before anything is decided'),
    );
    expect(again && textOf(again)).toContain(
      'axis_1: approve: So it is.\nCondition 1: the licence is MIT\naxis_2: approve: So it is.',
    );
  });

  it('is an objection that nobody could answer: nothing is decided', async () => {
    const away = new ToolError('NEXUS_MODEL_UNAVAILABLE', 'away');
    await startBound((voter, isAgain) => {
      if (isAgain) return away;
      return voter === 'security' ? { objection: FLAW } : {};
    });
    expect(await askThree()).toMatchObject({
      decision: 'mixed',
      axes: [{ verdict: 'undecided' }, { verdict: 'undecided' }],
      objections: [{ outcome: 'unanswered' }],
    });
  });

  it('is not what a reason names and is not there: that is marked', async () => {
    await startBound(() => ({ reasoning: 'As src/gone.js:3 shows, and sum.js:2.' }));
    const { axes } = await askThree();
    expect(axes[1]?.votes[0]?.reasoning).toBe('As src/gone.js:3 (not found) shows, and sum.js:2.');
  });
});
