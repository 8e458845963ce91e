import { definePlugin, defineTool, fence, ToolError } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModels } from './scripted-models.ts';
import { startPlugin } from './start-plugin.ts';

const kindOf = defineTool({
  name: 'kind_of',
  title: 'Kind of a commit',
  description: 'Says what a commit message is about.',
  input: z.object({ text: z.string().max(1000).describe('The message.') }),
  output: z.object({ kind: z.string(), why: z.string() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  budget: 'model',
  async call({ text }, context) {
    const { value } = await context.host.models.object(
      {
        prompt: `Which of these is the commit message about?\n${fence('the commit message', text)}`,
        schema: z.object({ kind: z.enum(['feature', 'fix', 'other']), why: z.string() }),
      },
      context,
    );
    return value;
  },
});

const commits = definePlugin({
  name: 'commits',
  options: z.object({}),
  tools: [kindOf],
  start: async () => ({}),
  async stop() {},
});

it('lets a plugin ask a model by script, and shows what it asked', async () => {
  const models = scriptedModels([
    { object: { kind: 'bug', why: 'x' } },
    { object: { kind: 'fix', why: 'it says so' } },
  ]);
  const plugin = await startPlugin(commits, { models });
  expect(await plugin.answer('kind_of', { text: 'fix: a leak' })).toEqual({ kind: 'fix', why: 'it says so' });
  expect(models.requests).toHaveLength(2);
  expect(models.requests[0]?.prompt).toContain('```\nfix: a leak\n```');
  await plugin.stop();
});

it('fails as models do: with the script’s error, and without any answer as where there is none', async () => {
  const models = scriptedModels([new ToolError('NEXUS_MODEL_REFUSED', 'no')]);
  const plugin = await startPlugin(commits, { models });
  const fault = (code: string) => ({ _meta: { 'nexus/error': { code } } });
  expect(await plugin.call('kind_of', { text: 'x' })).toMatchObject(fault('NEXUS_MODEL_REFUSED'));
  expect(await plugin.call('kind_of', { text: 'x' })).toMatchObject(fault('NEXUS_NO_MODEL'));
  await plugin.stop();
  const bare = await startPlugin(commits);
  expect(await bare.call('kind_of', { text: 'x' })).toMatchObject(fault('NEXUS_NO_MODEL'));
  await bare.stop();
});
