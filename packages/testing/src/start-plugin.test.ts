import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type CallContext, definePlugin, defineTool } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { snapshotFolder } from './snapshot-folder.ts';
import { startPlugin } from './start-plugin.ts';
import { watchConnections } from './watch-connections.ts';

interface Counter {
  count: number;
}

const increase = defineTool({
  name: 'increase',
  title: 'Increase',
  description: 'Adds to a count that lives as long as the plugin.',
  input: z.object({ by: z.int().min(1).max(9).default(1).describe('How much.') }),
  output: z.object({ count: z.int() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call({ by }, { state, log }: CallContext<Counter>) {
    state.count += by;
    log.info('increased', { by });
    return { count: state.count };
  },
});

const counter = definePlugin({
  name: 'counter',
  options: z.object({ from: z.int().min(0).max(99).default(0).describe('Where to begin.') }),
  tools: [increase],
  start: async ({ from }): Promise<Counter> => ({ count: from }),
  async stop() {},
});

it('starts a plugin with its options, and keeps its state from call to call', async () => {
  const plugin = await startPlugin(counter, { options: { from: 40 } });
  await plugin.answer('increase');
  expect(await plugin.answer('increase', { by: 1 })).toEqual({ count: 42 });
  await plugin.stop();
});

it('sends calls the whole way, so that wrong arguments are a tool error', async () => {
  const plugin = await startPlugin(counter);
  expect(await plugin.call('increase', { by: 10 })).toMatchObject({ isError: true });
  await expect(plugin.answer('increase', { by: 10 })).rejects.toThrow('Invalid arguments for increase');
  await plugin.stop();
});

it('keeps what was logged and what was recorded', async () => {
  const plugin = await startPlugin(counter);
  await plugin.answer('increase', { by: 2 });
  expect(plugin.log).toContainEqual({ level: 'info', message: 'increased', fields: { by: 2 } });
  expect(plugin.records).toMatchObject([{ toolName: 'increase' }]);
  await plugin.stop();
});

it('leaves nothing behind when it stops', async () => {
  const plugin = await startPlugin(counter);
  const { projectRoot } = plugin.host;
  expect(existsSync(projectRoot)).toBe(true);
  await plugin.stop();
  expect(existsSync(projectRoot)).toBe(false);
});

it('sees a file that was added, and one that was changed', async () => {
  const plugin = await startPlugin(counter);
  const file = join(plugin.host.projectRoot, 'a.txt');
  const empty = await snapshotFolder(plugin.host.projectRoot);
  await writeFile(file, 'one');
  const added = await snapshotFolder(plugin.host.projectRoot);
  await writeFile(file, 'two');
  expect(added).not.toEqual(empty);
  expect(await snapshotFolder(plugin.host.projectRoot)).not.toEqual(added);
  await plugin.stop();
});

it('sees a connection that would leave the machine, and none to the machine itself', () => {
  const connections = watchConnections();
  for (const host of ['host.invalid', '127.0.0.1'])
    connect({ host, port: 9 })
      .on('error', () => {})
      .destroy();
  connections.stop();
  expect(connections.remote).toEqual(['host.invalid']);
});
