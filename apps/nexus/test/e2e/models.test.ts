import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { isAlive } from '@nexus/processes';
import { fakeClis, modelEndpoint } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { bin } from '../harness/app.ts';
import { childrenOf } from '../harness/processes.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifies, verifiesAnew, verifiesApp } from '../harness/verifies.ts';

const NO_PROGRAMS = '/usr/bin:/bin';
const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

verifiesApp('models.sampling', 'lets the official client’s model think by sampling, with tools', async () => {
  await using project = await makeProject({ slowPlugin: true, env: { PATH: NO_PROGRAMS } });
  const client = new Client(
    { name: 'e2e-sampling', version: '1' },
    { capabilities: { sampling: { tools: {} } } },
  );
  const asked: unknown[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    asked.push(params);
    const text = { type: 'text' as const, text: 'The sky is blue.' };
    const use = { type: 'tool_use' as const, id: 'use-1', name: 'colour_of', input: { thing: 'sky' } };
    return asked.length === 1
      ? { role: 'assistant' as const, model: 'm-1', stopReason: 'toolUse', content: [use] }
      : { role: 'assistant' as const, model: 'm-1', stopReason: 'endTurn', content: [text] };
  });
  const { env, root: cwd } = project;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, '--mode=server'],
    env: { ...env },
    cwd,
  });
  await client.connect(transport);
  try {
    const result = await client.callTool({
      name: 'slow_think',
      arguments: { question: 'What colour is the sky?' },
    });
    expect(result.structuredContent).toMatchObject({ text: 'The sky is blue.', model: 'host:default' });
    expect(asked).toMatchObject([
      { tools: [{ name: 'colour_of' }], messages: [{ role: 'user' }] },
      {
        messages: [
          { role: 'user' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'use-1' }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                toolUseId: 'use-1',
                content: [{ text: expect.stringContaining('sky: blue') }],
              },
            ],
          },
        ],
      },
    ]);
  } finally {
    await client.close();
  }
});

verifiesAnew(
  'models.host',
  'tells a client’s model of tools in words where it offers no tools',
  async (way) => {
    await using project = await makeProject({ slowPlugin: true, env: { PATH: NO_PROGRAMS } });
    await using server = await way.open(project, { capabilities: { sampling: {} } });
    const answers = ['{"tool_calls":[{"name":"colour_of","arguments":{"thing":"sky"}}]}', 'Blue.'];
    server.session.onRequest('sampling/createMessage', () => {
      return { role: 'assistant', model: 'm-1', content: { type: 'text', text: answers.shift() } };
    });
    const { result } = await server.session.call('slow_think', { question: 'What colour is the sky?' });
    expect(result.structuredContent).toMatchObject({ text: 'Blue.', model: 'host:default' });
    const asked = server.session.received.filter(({ method }) => method === 'sampling/createMessage');
    expect(asked).toHaveLength(2);
    expect(asked[0]?.params).not.toHaveProperty('tools');
    expect(JSON.stringify(asked[1]?.params)).toContain('sky: blue');
  },
);

/** What the schemas of the revisions before 2025-11-25 let through in `sampling/createMessage`. */
const SAMPLED_BEFORE_LISTS = z.object({
  messages: z.array(
    z.object({
      role: z.enum(['user', 'assistant']),
      content: z.object({ type: z.literal('text'), text: z.string() }),
    }),
  ),
  maxTokens: z.int(),
});

verifiesApp('models.older-host', 'asks the model of an older client in messages of one block', async () => {
  await using project = await makeProject({ slowPlugin: true, env: { PATH: NO_PROGRAMS } });
  for (const revision of ['2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']) {
    await using server = startServer(project);
    await server.session.initialize({ sampling: {} }, revision);
    const answers = ['{"tool_calls":[{"name":"colour_of","arguments":{"thing":"sky"}}]}', 'Blue.'];
    const asked: unknown[] = [];
    server.session.onRequest('sampling/createMessage', (params) => {
      asked.push(SAMPLED_BEFORE_LISTS.parse(params));
      return { role: 'assistant', model: 'm-1', content: { type: 'text', text: answers.shift() } };
    });
    const { result } = await server.session.call('slow_think', { question: 'What colour is the sky?' });
    expect(result.structuredContent).toMatchObject({ text: 'Blue.', model: 'host:default' });
    expect(asked).toHaveLength(2);
  }
});

verifies('models.none', 'says what was looked for and what helps', async (way) => {
  await using project = await makeProject({ slowPlugin: true, env: { PATH: NO_PROGRAMS } });
  await using server = await way.open(project);
  const { result } = await server.session.call('slow_think', { question: 'Anyone?' });
  expect(result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_NO_MODEL', category: 'unavailable' });
  expect(result.content[0].text).toMatch(/ANTHROPIC_API_KEY.*command lines.*sampling/s);
  const { result: resource } = await server.session.ask('resources/read', { uri: 'nexus://models' });
  const { providers } = JSON.parse(resource.contents[0].text);
  expect(providers.map(({ isFound }: { isFound: boolean }) => isFound)).not.toContain(true);
});

verifiesApp('command.models', 'lists, probes and counts', async () => {
  await using endpoint = await modelEndpoint(() => ({ text: 'OK', usage: { input: 12, output: 1 } }));
  const env = { PATH: NO_PROGRAMS, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: `${endpoint.url}/v1/` };
  await using project = await makeProject({
    env,
    config: { models: { providers: { anthropic: { models: ['claude-haiku-5-5'] } } } },
  });
  const shown = await runNexus(project, ['models']);
  expect(shown.stdout).toMatch(/^anthropic +yes +ANTHROPIC_API_KEY, at 127\.0\.0\.1/m);
  expect(shown.stdout).toMatch(/^anthropic:claude-haiku-5-5 +1000000 +0\.1 +0\.5 +\d{4}-\d\d-\d\d +0$/m);
  expect(endpoint.requests).toEqual([]);
  const probed = await runNexus(project, ['models', '--probe', '--json']);
  expect({ ...probed, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(JSON.parse(probed.stdout)).toMatchObject({
    probes: [{ model: 'anthropic:claude-haiku-5-5', isGood: true, said: 'OK' }],
    outcomes: [
      { model: 'anthropic:claude-haiku-5-5', runs: 1, successes: 1, inputTokens: 12, outputTokens: 1 },
    ],
  });
  expect((await runNexus(project, ['models'])).stdout).toMatch(/claude-haiku.* 1 +100%$/m);
  const doctor = await runNexus(project, ['doctor']);
  expect(doctor.stdout).toContain('anthropic: ANTHROPIC_API_KEY');
});

verifiesApp('models.secret', 'masks a key that the provider gives back, wherever it would show', async () => {
  await using endpoint = await modelEndpoint(() => ({ status: 401, message: `invalid x-api-key: ${KEY}` }));
  const env = { PATH: NO_PROGRAMS, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: endpoint.url };
  await using project = await shareProject({ slowPlugin: true, env });
  const server = await project.host({ args: ['--verbose'] });
  const { result } = await server.session.call('slow_think', { question: 'x' });
  expect(result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_MODEL_REJECTED' });
  const { result: resource } = await server.session.ask('resources/read', { uri: 'nexus://models' });
  const probed = await runNexus(project, ['models', '--probe']);
  expect(probed.exitCode).toBe(1);
  expect(endpoint.requests[0]?.headers['x-api-key']).toBe(KEY);
  for (const text of [
    JSON.stringify(result),
    JSON.stringify(resource),
    probed.stdout,
    probed.stderr,
    server.stderr(),
  ])
    expect(text).not.toContain(KEY);
});

verifiesApp('models.end', 'ends a command line and its child when Nexus is killed', async () => {
  using clis = fakeClis({ claude: { does: 'hang' } });
  await using project = await shareProject({ slowPlugin: true, env: { PATH: clis.path } });
  const server = await project.host();
  void server.session.call('slow_think', { question: 'x', model: 'claude' }).catch(() => {});
  await vi.waitFor(() => expect(clis.calls).toHaveLength(1), { timeout: 30_000 });
  const [program = 0, child = 0] = clis.calls[0]?.pids ?? [];
  expect(await childrenOf(server.pid, 'claude')).toHaveLength(1);
  expect(await childrenOf(program, 'node')).toHaveLength(1);
  server.child.kill('SIGKILL');
  await vi.waitFor(() => expect([program, child].filter(isAlive)).toEqual([]), { timeout: 30_000 });
});
