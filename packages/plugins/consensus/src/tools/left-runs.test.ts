import { rmSync } from 'node:fs';
import { type LeftRun, leaveRun, type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, expect, it } from 'vitest';
import { added } from '../../test/diffs.ts';
import { TWO_MODELS } from '../../test/scripted-panel.ts';
import consensus from '../index.ts';

// What steps came to in runs of these kinds and versions, as it is on record of them. Where a change of the code
// needs another record, the kind is another version, and the one of now stays beside it.

let plugin: PluginUnderTest;
let dataDir = '';
afterEach(async () => {
  await plugin.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const [anthropic = '', openai = ''] = TWO_MODELS;
const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, costUsd: 0.25 };
const models = { name: 'models', output: TWO_MODELS };

const panelDiversity = { models: 1, voters: 1, vendors: 1, spread: [] };
const ballot = { voter: 'pm', model: anthropic, decision: 'approve', confidence: 0.8, reasoning: 'So.' };
const ended = { recordId: 'vote_1', why: '100% approve.', summary: '## Approved', panelDiversity };

const reading = (reviewer: string, model: string, findings: readonly object[]) => ({
  name: `review 1 ${reviewer}`,
  input: { model },
  output: { value: { findings }, model, usage, wasRepaired: false },
});

const FOUND = {
  ...{ file: 'src/a.ts', line: 1, quote: 'const x = 1;' },
  ...{ severity: 'high', kind: 'defect', claim: 'It is wrong.' },
};

const LEFT: readonly (LeftRun & { readonly tool: string; readonly answer: object })[] = [
  {
    tool: 'consensus_vote',
    kind: { name: 'consensus.vote', version: 1 },
    input: { proposal: 'Use SQLite.', quickMode: true },
    steps: [],
    output: {
      ...ended,
      ...{ decision: 'approved', approval: 1, votes: [ballot], dissent: [] },
      effectiveVotes: { basis: 'One ballot agrees with none.' },
    },
    answer: { decision: 'approved', votes: [ballot], conditions: [], objections: [], leftOut: [] },
  },
  {
    tool: 'supply_chain_tradeoff_panel',
    kind: { name: 'consensus.panel', version: 1 },
    input: { proposal: 'Use x.', context: '', axes: ['cost'], quickMode: true },
    steps: [],
    output: {
      ...ended,
      decision: 'approve',
      axes: [{ axis: 'cost', verdict: 'approve', approval: 1, why: 'All.', votes: [ballot] }],
    },
    answer: { decision: 'approve', axes: [{ votes: [ballot] }], leftOut: [] },
  },
  {
    tool: 'pr_review',
    kind: { name: 'consensus.review', version: 1 },
    input: { title: 'x', description: '', diff: added('src/a.ts', ['const x = 1;']) },
    steps: [
      { name: 'project', output: [] },
      models,
      reading('correctness', anthropic, [FOUND]),
      reading('security', openai, []),
      {
        name: 'filter 1',
        output: { reasoning: 'It is real.', verdict: 'real', model: openai, usage },
      },
    ],
    answer: {
      decision: 'request_changes',
      findings: [{ claim: 'It is wrong.', verified: true, evidence: expect.stringContaining('It is real.') }],
    },
  },
  {
    tool: 'pr_review',
    kind: { name: 'consensus.review', version: 2 },
    input: { title: 'x', description: '', diff: added('src/a.ts', ['const x = 1;']) },
    steps: [
      { name: 'project', output: [] },
      models,
      reading('correctness', anthropic, []),
      reading('security', openai, []),
    ],
    answer: { decision: 'approve', reviewers: [{ reviewer: 'correctness' }, { reviewer: 'security' }] },
  },
];

it.each(LEFT)(
  'a run that $tool left in version $kind.version is answered, and nothing is asked again',
  async (left) => {
    const { tool, answer, ...run } = left;
    const { id, dataDir: on } = await leaveRun(run);
    dataDir = on;
    const nobody = scriptedModels(() => new Error('asked again'), { models: TWO_MODELS });
    plugin = await startPlugin(consensus, { dataDir, models: nobody });
    expect(await plugin.resume(id)).toMatchObject({ runId: id, ...answer });
    expect(nobody.requests).toEqual([]);
  },
);

it.each(['consensus.vote', 'consensus.panel'])(
  'a run of %s that was under way in a version that is no more ends with a word on what to do',
  async (name) => {
    const input = { proposal: 'Use SQLite.', context: '', axes: ['cost'], quickMode: true };
    const left = await leaveRun({ kind: { name, version: 1 }, input, steps: [models] });
    dataDir = left.dataDir;
    const nobody = scriptedModels(() => new Error('asked again'), { models: TWO_MODELS });
    plugin = await startPlugin(consensus, { dataDir, models: nobody });
    await expect(plugin.resume(left.id)).rejects.toThrow(
      /an earlier version of Nexus[\s\S]*ask for the work again/,
    );
    expect((await plugin.host.runs.get(left.id)).status).toBe('failed');
  },
);
