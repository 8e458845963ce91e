import { askModel, definePlugin, defineRunTool, defineTool } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModels } from './scripted-models.ts';
import { startPlugin } from './start-plugin.ts';

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const tool = (name: string) =>
  defineTool({
    name,
    title: name,
    description: `Does ${name}.`,
    input: z.object({ path: z.string().max(100).describe('Where.') }),
    output: z.object({ text: z.string() }),
    annotations,
    budget: 'interactive',
    call: async ({ path }) => ({ text: `what ${path} holds` }),
  });

const judge = defineRunTool({
  name: 'judge',
  version: 1,
  title: 'Judge',
  description: 'Judges.',
  input: z.object({ claim: z.string().max(100).describe('What.') }),
  output: z.object({ holds: z.boolean(), tools: z.array(z.string()) }),
  annotations: { ...annotations, readOnlyHint: false, idempotentHint: false },
  budget: 'model',
  async run({ claim }, run) {
    const { value, toolCalls = [] } = await askModel(run, 'verdict', {
      schema: z.object({ holds: z.boolean() }),
      prompt: claim,
      maxReadingSteps: 5,
      step: { title: 'judges' },
    });
    return { ...value, tools: toolCalls.map(({ name }) => name) };
  },
});

const start = (tools: readonly string[], models: ReturnType<typeof scriptedModels>) =>
  startPlugin(
    definePlugin({
      name: 'judging',
      options: z.object({}),
      tools: [judge, ...tools.map(tool)],
      start: async () => ({}),
      stop: async () => {},
    }),
    { models, projectBrief: 'Semicolons are forbidden.' },
  );

it('a question of a run may be answered after reading, with the kit alone, each call a step', async () => {
  const models = scriptedModels([
    { tools: [{ name: 'read_file', input: { path: 'a.ts' } }] },
    { object: { holds: true } },
  ]);
  const plugin = await start(['read_file', 'memory_query'], models);
  try {
    const answer = await plugin.answer<{ runId: string }>('judge', { claim: 'It throws.' });
    expect(answer).toMatchObject({ holds: true, tools: ['read_file'], usage: { inputTokens: 20 } });
    const { steps } = await plugin.host.runs.get(answer.runId);
    expect(steps.map(({ title }) => title)).toEqual([
      'finds what it may read with',
      'judges',
      'read_file',
      'judges',
    ]);
    const [first, second] = models.requests;
    expect(first?.tools?.map(({ name }) => name)).toEqual(['read_file']);
    expect(first?.system).toMatch(/^Semicolons are forbidden\./);
    expect(JSON.stringify(second?.prompt)).toContain('what a.ts holds');
  } finally {
    await plugin.stop();
  }
});

it('an answer whose second try has the wrong form too fails its step, which a run that goes on does again', async () => {
  const models = scriptedModels([
    { tools: [{ name: 'read_file', input: { path: 'a.ts' } }] },
    'It holds.',
    'It does hold.',
    { object: { holds: true } },
  ]);
  const plugin = await start(['read_file', 'memory_query'], models);
  try {
    const { isError, _meta } = await plugin.call('judge', { claim: 'It throws.' });
    expect(isError).toBe(true);
    const { detail } = Object(_meta?.['nexus/error']) as { detail: { runId: string } };
    const { runs } = plugin.host;
    const { steps } = await runs.get(detail.runId);
    expect(steps.at(-1)).toMatchObject({ status: 'failed', error: { code: 'NEXUS_MODEL_OUTPUT' } });
    const { repeated } = await runs.planRerun(detail.runId, { goesOn: true });
    expect(repeated.map(({ name }) => name)).toEqual([steps.at(-1)?.name]);
    const { id } = await runs.takeUp(detail.runId);
    const ended = await runs.wait(id, { signal: AbortSignal.timeout(10_000) });
    expect(ended).toMatchObject({ status: 'completed', output: { holds: true } });
    expect(models.requests).toHaveLength(4);
  } finally {
    await plugin.stop();
  }
});

it('where there is nothing to read with, it is asked at once', async () => {
  const models = scriptedModels([{ object: { holds: false } }]);
  const plugin = await start([], models);
  try {
    expect(await plugin.answer('judge', { claim: 'It throws.' })).toMatchObject({ holds: false, tools: [] });
    expect(models.requests[0]?.tools).toBeUndefined();
  } finally {
    await plugin.stop();
  }
});
