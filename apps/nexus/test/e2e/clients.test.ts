import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as AiSdkTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { bin } from '../harness/app.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { run } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { connectStdioClient } from '../harness/stdio-client.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const FILES = { 'src/needle.ts': 'export const needle = 1;\n' };
const server = { command: process.execPath, args: [bin, '--mode=server'] };
const found = { total: 1, hits: [expect.objectContaining({ file: 'src/needle.ts', line: 1 })] };

/** What the server lists, read without a client of any kind. */
async function listedNames(project: Project): Promise<string[]> {
  await using direct = startServer(project);
  await direct.session.initialize();
  const { result } = await direct.session.ask('tools/list');
  return namesOf(result.tools);
}

function namesOf(tools: readonly { name: string }[]): string[] {
  return tools.map(({ name }) => name).sort();
}

verifiesApp('client.sdk', 'the official client lists all tools and calls one', async () => {
  await using project = await makeProject({ files: FILES });
  const client = new Client({ name: 'e2e', version: '1' });
  await client.connect(new StdioClientTransport({ ...server, cwd: project.root, env: { ...project.env } }));
  try {
    const { tools } = await client.listTools();
    expect(namesOf(tools)).toEqual(await listedNames(project));
    const call = { name: 'search_codebase', arguments: { query: 'needle' } };
    expect((await client.callTool(call)).structuredContent).toEqual(found);
  } finally {
    await client.close();
  }
});

slowlyVerifiesApp(
  'client.sdk',
  'the official client lists all there is beside what it would refuse of a server as served',
  async () => {
    const properties = { message: { type: 'string' }, any: true, none: false };
    const odd = [
      { name: 'booleans', inputSchema: { type: 'object', properties } },
      { name: 'nulls', inputSchema: { type: 'object', properties: null, required: null } },
      { name: 'output', description: null, outputSchema: { anyOf: [] } },
      { name: 'icons', icons: [{ src: 'data:', sizes: '48x48' }], annotations: { title: null } },
    ];
    const mcpServers = { odd: fakeServer({ hostileTools: odd, resources: true, oddOffers: true }) };
    const config = { toolboxes: { box: { autoOpen: true, prefix: false, mcpServers } } };
    await using project = await makeProject({ config });
    const client = new Client({ name: 'e2e', version: '1' });
    await connectStdioClient(client, project);
    try {
      const { tools } = await client.listTools();
      const names = [...odd.map(({ name }) => name), 'search_codebase'];
      expect(namesOf(tools)).toEqual(expect.arrayContaining(names));
      expect(tools.find(({ name }) => name === 'booleans')?.inputSchema.properties).toEqual({
        ...properties,
        any: {},
        none: { not: {} },
      });
      const call = (args: object) => client.callTool({ name: 'booleans', arguments: { ...args } });
      expect(await call({ any: [1] })).toMatchObject({ content: [{ text: '{"any":[1]}' }] });
      expect(await call({ none: 1 })).toMatchObject({ isError: true });
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(['fake://a', 'fake://odd']));
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['items', 'fake://odd/{id}']),
      );
      const { prompts } = await client.listPrompts();
      expect(prompts.find(({ name }) => name === 'odd')).toEqual({ name: 'odd', arguments: [{ name: 'a' }] });
    } finally {
      await client.close();
    }
  },
);

verifiesApp('client.ai-sdk', 'the AI SDK’s client lists all tools and calls one', async () => {
  await using project = await makeProject({ files: FILES });
  const transport = new AiSdkTransport({ ...server, cwd: project.root, env: { ...project.env } });
  const client = await createMCPClient({ transport });
  try {
    const tools = await client.tools();
    expect(Object.keys(tools).sort()).toEqual(await listedNames(project));
    const options = { toolCallId: 'call', messages: [] };
    const result = await tools.search_codebase?.execute({ query: 'needle' }, options);
    expect(result).toMatchObject({ structuredContent: found });
  } finally {
    await client.close();
  }
});

const inspector = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')),
  'cli/build/cli.js',
);

async function inspect(project: Project, args: readonly string[]) {
  const command = [inspector, '--cli', server.command, ...server.args, ...args];
  const { exitCode, stdout, stderr } = await run(project, process.execPath, command);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}

verifiesApp('client.inspector', 'the Inspector’s command line lists all tools and calls one', async () => {
  await using project = await makeProject({ files: FILES });
  const { tools } = await inspect(project, ['--method', 'tools/list']);
  expect(namesOf(tools)).toEqual(await listedNames(project));
  const call = ['--method', 'tools/call', '--tool-name', 'search_codebase'];
  const result = await inspect(project, [...call, '--tool-arg', 'query=needle', 'limit=5']);
  expect(result.structuredContent).toEqual(found);
});

const mcporter = fileURLToPath(import.meta.resolve('mcporter/cli'));

verifiesApp('client.mcporter', 'mcporter lists all tools and calls one', async () => {
  const config = JSON.stringify({ mcpServers: { nexus: server }, imports: [] });
  await using project = await makeProject({ files: { ...FILES, 'mcporter.json': config } });
  const port = async (args: readonly string[]) => {
    const command = [mcporter, '--config', 'mcporter.json', ...args];
    const { exitCode, stdout, stderr } = await run(project, process.execPath, command);
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const listed = await port(['list', 'nexus', '--json']);
  expect(namesOf(listed.tools)).toEqual(await listedNames(project));
  expect(await port(['call', 'nexus.search_codebase', 'query=needle', 'limit=5'])).toEqual(found);
});
