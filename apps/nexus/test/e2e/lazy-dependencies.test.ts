import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeServer, modelEndpoint } from '@nexus/testing';
import { expect, it } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { lazyDependencies } from '../harness/lazy-dependencies.ts';
import { changeConfig, makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

type Args = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

/** The least real work of each dependency, by a tool of the built app: what it is asked, and what shows that it worked. */
const AT_WORK: Readonly<Record<string, readonly [string, Args, Answer]>> = {
  '@eslint-community/regexpp': ['box__it__coded', { code: 'nine' }, { isError: true }],
  '@vscode/ripgrep': ['search_codebase', { query: 'needle' }, { structuredContent: { total: 1 } }],
  croner: [
    'list_workflows',
    {},
    { structuredContent: { faulty: [{ file: '.nexus/workflows/never.yaml' }] } },
  ],
  kysely: ['memory_query', { query: 'roofs' }, { structuredContent: { results: [{ key: 'k' }] } }],
  libsql: ['task_status', {}, { structuredContent: { total: 0 } }],
  picomatch: [
    'reserve_files',
    { worker: 'ben', globs: ['src/*.js'], exclusive: true },
    { structuredContent: expect.any(Object) },
  ],
  re2js: ['box__it__coded', { code: '9' }, { content: [{ text: expect.stringContaining('9') }] }],
  refa: [
    'reserve_files',
    { worker: 'ben', globs: ['src/a.*'], exclusive: true },
    { content: [{ text: expect.stringContaining('ann') }] },
  ],
  'web-tree-sitter': [
    'extract_symbols',
    { filePath: 'a.ts' },
    { structuredContent: { symbols: [{ name: 'needle' }] } },
  ],
  yaml: [
    'run_workflow',
    { template: '.nexus/workflows/one.yaml' },
    { structuredContent: { status: 'completed' } },
  ],
  zod: ['task_status', { limit: 0 }, { isError: true }],
};

/** Those whose work takes more than a tool: the next test, and end-to-end tests that are about it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '@ai-sdk/anthropic': 'lazy-dependencies',
  '@ai-sdk/google': 'lazy-dependencies',
  '@ai-sdk/openai': 'lazy-dependencies',
  '@ai-sdk/openai-compatible': 'lazy-dependencies',
  '@modelcontextprotocol/sdk/client/auth.js': 'toolbox-authorise',
  '@modelcontextprotocol/sdk/client/sse.js': 'lazy-dependencies',
  '@modelcontextprotocol/sdk/client/streamableHttp.js': 'lazy-dependencies',
  '@modelcontextprotocol/sdk/shared/mediaType.js': 'lazy-dependencies',
  '@modelcontextprotocol/sdk/validation/ajv': 'questions',
  '@octokit/core': 'source-pages',
  '@octokit/plugin-paginate-rest': 'source-pages',
  '@octokit/plugin-retry': 'source-pages',
  '@octokit/plugin-throttling': 'source-pages',
  'bottleneck/light.js': 'source-pages',
  commander: 'commands',
  'env-paths': 'uninstall',
  'es-module-lexer/js': 'trust',
  'fs-native-extensions': 'sharing',
  jose: 'http-access',
  'p-limit': 'commands',
  pg: 'shared-database',
  'pg-connection-string': 'shared-database',
  pino: 'commands',
  'prom-client': 'http-serve',
  'resolve.exports': 'trust',
  'shell-quote': 'trust',
  'string-width': 'terminal',
  'strip-json-comments': 'import-command',
  undici: 'lazy-dependencies',
};

it('are all that the sources load when it is first needed', () => {
  const known = [...Object.keys(AT_WORK), ...Object.keys(ELSEWHERE)].sort();
  expect(known).toEqual(lazyDependencies());
  for (const test of Object.values(ELSEWHERE))
    expect(existsSync(new URL(`${test}.test.ts`, import.meta.url)), test).toBe(true);
});

verifiesApp('app.lazy', 'asks models of each kind of provider', async () => {
  await using endpoint = await modelEndpoint(() => ({ text: 'OK', usage: { input: 12, output: 1 } }));
  const { url } = endpoint;
  await using project = await makeProject({
    env: {
      ...NO_MODELS,
      ...{
        ANTHROPIC_API_KEY: 'k',
        ANTHROPIC_BASE_URL: url,
        OPENAI_API_KEY: 'k',
        OPENAI_BASE_URL: `${url}/v1`,
      },
      ...{ GEMINI_API_KEY: 'k', GEMINI_BASE_URL: url },
    },
    config: {
      models: {
        providers: {
          anthropic: { models: ['claude-haiku-5-5'] },
          openai: { models: ['gpt-6.1-sol'] },
          google: { models: ['gemini-x'] },
          own: { baseUrl: `${url}/v1`, apiKey: 'k', models: ['qwen3'] },
        },
      },
    },
  });
  const { stdout } = await runNexus(project, ['models', '--probe', '--json']);
  const { probes } = JSON.parse(stdout);
  expect(probes.map(({ model, said }: Answer) => [model.split(':')[0], said]).sort()).toEqual([
    ['anthropic', 'OK'],
    ['google', 'OK'],
    ['openai', 'OK'],
    ['own', 'OK'],
  ]);
});

verifiesApp('app.lazy', 'reaches other servers by both kinds of HTTP', async () => {
  await using project = await makeProject();
  const answered: string[] = [];
  // It refuses; that it was asked is what shows the client at work.
  const server = createServer((request, response) => {
    answered.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = (path: string) => `http://127.0.0.1:${port}/${path}`;
  await changeConfig(project, {
    toolboxes: {
      box: {
        description: 'Two servers.',
        mcpServers: { new: { url: url('mcp') }, old: { url: url('sse'), transport: 'sse' } },
      },
    },
  });
  await runNexus(project, ['toolbox', 'test']);
  server.close();
  expect(new Set(answered)).toEqual(new Set(['POST /mcp', 'GET /sse']));
});

verifiesApp(
  'app.lazy',
  'does the least work of each dependency that is loaded when it is first needed',
  async () => {
    await using project = await shareProject({
      files: {
        'a.ts': 'export const needle = 1;\n',
        '.nexus/workflows/one.yaml':
          "name: one\ndescription: One.\nsteps:\n  - { id: all, uses: 'tool:list_files', with: {} }\n",
        '.nexus/workflows/never.yaml':
          "name: never\ndescription: Never.\nschedule: { cron: '99 * * * *' }\nsteps:\n  - { id: all, uses: 'tool:list_files', with: {} }\n",
      },
      config: {
        toolboxes: {
          box: {
            description: 'One server.',
            mcpServers: {
              it: fakeServer({
                hostileTools: [
                  {
                    name: 'coded',
                    description: 'Takes a code.',
                    inputSchema: {
                      type: 'object',
                      properties: { code: { type: 'string', pattern: '^\\d+$' } },
                    },
                  },
                ],
              }),
            },
          },
        },
      },
      env: NO_MODELS,
    });
    const { session } = await project.host();
    const before: readonly (readonly [string, Args])[] = [
      ['open_toolbox', { toolbox: 'box' }],
      ['memory_write', { backend: 'belief', key: 'k', value: 'green roofs' }],
      ['register_worker', { name: 'ann' }],
      ['register_worker', { name: 'ben' }],
      ['reserve_files', { worker: 'ann', globs: ['src/*.ts'], exclusive: true }],
    ];
    for (const [tool, args] of before) {
      const { result } = await session.call(tool, args);
      expect([tool, result.isError, result.content]).toEqual([tool, undefined, result.content]);
    }
    for (const [name, [tool, args, wanted]] of Object.entries(AT_WORK)) {
      const { result } = await session.call(tool, args);
      expect({ name, ...result }).toMatchObject({ name, ...wanted });
    }
  },
);
