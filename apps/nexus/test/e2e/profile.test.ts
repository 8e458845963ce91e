import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';
import { connectStdioClient } from '../harness/stdio-client.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const LEAN = ['bundle', 'find_tools', 'open_toolbox', 'use_tool'];
const TOOLBOXES = { box: { description: 'One server.', mcpServers: { it: fakeServer({}) } } };

/** A client of that name, as the official SDK makes it. */
async function withClient<Result>(
  project: Project,
  name: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ name, version: '1' });
  await connectStdioClient(client, project);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const listed = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const isLean = async (client: Client) => {
  const names = await listed(client);
  const isFew = JSON.stringify(names) === JSON.stringify(LEAN);
  expect(isFew || names.length > 40).toBe(true);
  // What the model is told fits what it has.
  expect(client.getInstructions()?.includes('Most are not listed')).toBe(isFew);
  return isFew;
};

/** The names by which hosts call themselves, those that were tried as docs/hosts.md has it. */
const HOSTS = {
  'claude-code': true,
  'codex-mcp-client': false,
  'gemini-cli-mcp-client-nexus': false,
  'qwen-cli-mcp-client-nexus': false,
  opencode: false,
  Cline: false,
  'never-seen': false,
};

verifiesApp('toolbox.profile', 'few are listed to a host whose model sees a list that changes', async () => {
  await using project = await makeProject({});
  for (const [name, few] of Object.entries(HOSTS)) {
    expect([name, await withClient(project, name, isLean)]).toEqual([name, few]);
  }
});

slowlyVerifiesApp(
  'toolbox.profile',
  'what few tools find is all there is, and full says as much',
  async () => {
    await using project = await makeProject({});
    const find = (client: Client) =>
      client.callTool({ name: 'find_tools', arguments: { queries: ['task bus status'] } });
    const own = expect.objectContaining({ toolbox: 'nexus', tool: 'bus_status' });
    const few = await withClient(project, 'claude-code', find);
    expect(few.structuredContent).toMatchObject({ hits: expect.arrayContaining([own]) });
    // Where all are listed, they are not found a second time.
    const all = await withClient(project, 'codex-mcp-client', find);
    expect(JSON.stringify(all.structuredContent)).not.toContain('"toolbox":"nexus"');
  },
);

slowlyVerifiesApp('toolbox.profile', 'a config that says which wins over the client', async () => {
  for (const profile of ['lean', 'full'] as const) {
    await using project = await makeProject({ config: { profile } });
    for (const name of ['claude-code', 'codex-mcp-client']) {
      expect(await withClient(project, name, isLean)).toBe(profile === 'lean');
    }
  }
});

slowlyVerifiesApp('toolbox.profile', 'what is learnt of a client decides of its next session', async () => {
  await using project = await makeProject({ config: { toolboxes: TOOLBOXES } });
  const open = (client: Client) => client.callTool({ name: 'open_toolbox', arguments: { toolbox: 'box' } });
  await withClient(project, 'learner', async (client) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, async () => void (await listed(client)));
    expect(await isLean(client)).toBe(false);
    await open(client);
    // As it was at the start, whatever is learnt meanwhile.
    expect((await listed(client)).length).toBeGreaterThan(40);
  });
  expect(await withClient(project, 'learner', isLean)).toBe(true);
  // One that never asks again has everything from the start, whatever hosts of its name did elsewhere.
  await withClient(project, 'claude-code', async (client) => {
    expect(await isLean(client)).toBe(true);
    await open(client);
  });
  expect(await withClient(project, 'claude-code', isLean)).toBe(false);
});
