import { rmSync } from 'node:fs';
import { type LeftRun, leaveRun, type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, expect, it } from 'vitest';
import experts from '../index.ts';

// As runs of these kinds and versions are on record. Where a change of the code needs another record, the kind is
// another version, and the one of now stays beside it.

let plugin: PluginUnderTest;
let dataDir = '';
afterEach(async () => {
  await plugin.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, costUsd: 0.25 };
const model = 'test:one';
const generated = (text: string) => ({
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  text,
  toolUses: [],
  model,
  stopReason: 'end',
  usage,
});

const LEFT: readonly (LeftRun & { readonly tool: string; readonly answer: object })[] = [
  {
    tool: 'orchestrate',
    kind: { name: 'experts.orchestrate', version: 1 },
    input: { task: 'Is it safe?', context: {}, maxIterations: 2 },
    steps: [],
    output: {
      summary: 'It is.',
      recommendations: ['Ship it.'],
      steps: [
        {
          ...{ id: 'look', expert: 'qa', title: 'Look', status: 'passed', output: 'Seen.', model },
          ...{ durationMs: 7, tries: 1, usage },
        },
      ],
      usage,
      models: { plan: model, answer: model },
    },
    answer: { summary: 'It is.', steps: [{ id: 'look', output: 'Seen.' }], experts_consulted: ['qa'] },
  },
  {
    tool: 'execute_expert',
    kind: { name: 'experts.turn', version: 1 },
    input: { role: 'qa', assignment: { task: 'Look.' } },
    steps: [
      { name: 'started' },
      { name: 'tools', output: [] },
      { name: 'model 1', output: generated('Seen.') },
    ],
    answer: { role: 'qa', output: 'Seen.', model },
  },
];

it.each(LEFT)(
  'a run that $tool left in version $kind.version is answered, and nothing is asked again',
  async (left) => {
    const { tool, answer, ...run } = left;
    const { id, dataDir: on } = await leaveRun(run);
    dataDir = on;
    const nobody = scriptedModels(() => new Error('asked again'));
    plugin = await startPlugin(experts, { dataDir, models: nobody });
    expect(await plugin.resume(id)).toMatchObject({ runId: id, ...answer });
    expect(nobody.requests).toEqual([]);
  },
);

it('a run that was under way in a version that is no more ends with a word on what to do', async () => {
  const input = { task: 'Is it safe?', context: {}, maxIterations: 2 };
  const kind = { name: 'experts.orchestrate', version: 1 };
  const left = await leaveRun({ kind, input, steps: [{ name: 'plan', output: { steps: [] } }] });
  dataDir = left.dataDir;
  plugin = await startPlugin(experts, { dataDir, models: scriptedModels(() => new Error('asked again')) });
  await expect(plugin.resume(left.id)).rejects.toThrow(
    /was begun by an earlier version of Nexus \(experts\.orchestrate, version 1\)[\s\S]*ask for the work again/,
  );
  expect((await plugin.host.runs.get(left.id)).status).toBe('failed');
});
