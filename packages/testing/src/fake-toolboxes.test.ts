import { type CallContext, definePlugin, defineTool } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { fakeToolboxes } from './fake-toolboxes.ts';
import { type PluginUnderTest, startPlugin } from './start-plugin.ts';

const annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const shout = defineTool({
  name: 'shout',
  title: 'Shout',
  description: 'Says it louder.',
  input: z.object({ text: z.string().describe('What.') }),
  output: z.object({ text: z.string() }),
  annotations,
  budget: 'interactive',
  call: async ({ text }) => ({ text: text.toUpperCase() }),
});

const step = z.enum(['open', 'close', 'reach', 'names', 'list', 'callable', 'catalogue']);

/** Does with the toolboxes what it is told, as a plugin would. */
const probe = defineTool({
  name: 'probe',
  title: 'Probe',
  description: 'Works on toolboxes.',
  input: z.object({
    step: step.describe('What to do.'),
    toolbox: z.string().default('loud').describe('With which.'),
  }),
  output: z.object({ result: z.unknown() }),
  annotations,
  budget: 'interactive',
  async call({ step, toolbox }, context: CallContext) {
    const { toolboxes } = context.host;
    const steps = {
      open: () => toolboxes.open(toolbox, context),
      close: () => toolboxes.close(toolbox, context),
      reach: () => toolboxes.reach({ toolbox, server: 'voice', tool: 'shout' }, context),
      names: () => toolboxes.names(),
      list: () => toolboxes.list([toolbox], context.session),
      callable: () => context.tools.list().map(({ name }) => name),
      catalogue: () => toolboxes.catalogue(context),
    };
    return { result: await steps[step]() };
  },
});

const plugin = definePlugin({
  name: 'probes',
  options: z.object({}),
  tools: [probe],
  start: async () => undefined,
  stop: async () => {},
});

let running: PluginUnderTest;
beforeAll(async () => {
  const toolboxes = { loud: { voice: [shout] }, broken: { gone: { error: 'no such program' } } };
  running = await startPlugin(plugin, { toolboxes: fakeToolboxes({ toolboxes }) });
});
afterAll(() => running.stop());

async function take(step: string, sessionId: string, toolbox = 'loud') {
  const { structuredContent, content } = await running.call('probe', { step, toolbox }, { sessionId });
  return structuredContent?.result ?? content[0]?.text;
}

it('opens a toolbox for one session, once, and takes it away again', async () => {
  expect(await take('open', 'one')).toMatchObject({ isListed: true, wasOpen: false });
  expect(await take('open', 'one')).toMatchObject({ wasOpen: true, tools: [{ tool: 'shout' }] });
  expect(await take('callable', 'one')).toEqual(['loud__voice__shout', 'probe']);
  expect(await take('callable', 'two')).toEqual(['probe']);
  expect(await take('names', 'one')).toEqual([
    { name: 'broken', servers: ['gone'] },
    { name: 'loud', servers: ['voice'] },
  ]);
  expect(await take('list', 'one', 'broken')).toMatchObject([
    { name: 'broken', isOpen: false, servers: [{ name: 'gone', state: 'failed', error: 'no such program' }] },
  ]);
  expect(await take('list', 'one')).toMatchObject([
    { name: 'loud', isOpen: true, servers: [{ name: 'voice', toolCount: 1 }] },
  ]);
  expect(await take('close', 'one')).toBe(1);
  expect(await take('close', 'one')).toBe(0);
  expect(await take('callable', 'one')).toEqual(['probe']);
});

it('makes a tool callable without opening its toolbox', async () => {
  const name = await take('reach', 'three');
  expect(await running.call(String(name), { text: 'hey' }, { sessionId: 'three' })).toMatchObject({
    structuredContent: { text: 'HEY' },
  });
  expect(await running.call(String(name), {}, { sessionId: 'three' })).toMatchObject({ isError: true });
});

it('knows all tools, and what could not be reached', async () => {
  expect(await take('catalogue', 'one')).toMatchObject({
    tools: [{ toolbox: 'loud', server: 'voice', definition: { name: 'shout', title: 'Shout' } }],
    unreachable: [{ toolbox: 'broken', server: 'gone', reason: 'no such program' }],
  });
});

it('names what failed, and the nearest to what does not exist', async () => {
  expect(await take('open', 'one', 'broken')).toContain('gone: no such program');
  expect(await take('open', 'one', 'lout')).toContain('loud');
});
