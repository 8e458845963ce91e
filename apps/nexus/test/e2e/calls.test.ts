import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { domainsServer } from '../harness/chat.ts';
import { makeProject } from '../harness/project.ts';
import { startServer } from '../harness/server-process.ts';
import type { Message } from '../harness/session.ts';
import { sharedServer } from '../harness/shared-server.ts';
import { verifies, verifiesAnew, verifiesApp } from '../harness/verifies.ts';

const LOG_WAIT = { timeout: 10_000 };
const FILES = { 'src/alpha.ts': 'export const alpha = 1;\nexport const beta = alpha + 1;\n' };

const shared = sharedServer({ slowPlugin: true, files: FILES });

verifies('list.stable', 'lists every tool on one page in one order', async (way) => {
  const { server } = await shared(way);
  const first = await server.session.ask('tools/list');
  const again = await server.session.ask('tools/list', { cursor: 'no such page' });
  expect(first.result.tools.length).toBeGreaterThan(10);
  expect(first.result).not.toHaveProperty('nextCursor');
  expect(again.result).toEqual(first.result);
});

verifies('list.whole', 'lists tools whole', async (way) => {
  const { server } = await shared(way);
  const { result } = await server.session.ask('tools/list');
  for (const tool of result.tools) {
    expect(tool, tool.name).toMatchObject({
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/.{20}/),
      inputSchema: { type: 'object' },
      annotations: {
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      },
    });
    // The results of the one are those of other tools, and those of the other are text to be read.
    if (['use_tool', 'read_file', 'read_result', 'git_history', 'bundle', 'resume_run'].includes(tool.name))
      expect(tool).not.toHaveProperty('outputSchema');
    else expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' });
  }
});

verifies(
  'call.structured',
  'answers with structured content, and as text with the same or what a model reads of it',
  async (way) => {
    const { server } = await shared(way);
    const { result } = await server.session.call('search_codebase', { query: 'alpha =' });
    expect(result.structuredContent).toMatchObject({ total: 1, hits: [{ file: 'src/alpha.ts', line: 1 }] });
    expect(result.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^1 hit\.\n\nsrc\/alpha\.ts\n1:[^\n]*alpha =/) },
    ]);
    expect(result.isError ?? false).toBe(false);
    const stats = await server.session.call('memory_stats', {});
    expect(JSON.parse(stats.result.content[0].text)).toEqual(stats.result.structuredContent);
  },
);

verifies('call.inline', 'takes fields beside empty arguments', async (way) => {
  const { server } = await shared(way);
  const { result } = await server.session.call('search_codebase', {}, { query: 'beta =' });
  expect(result.structuredContent.total).toBe(1);
  expect(result._meta['nexus/normalized']).toEqual({ source: 'inline' });
});

verifies('call.inline', 'takes fields where there are no arguments', async (way) => {
  const { server } = await shared(way);
  const { result } = await server.session.ask('tools/call', {
    name: 'search_codebase',
    query: 'beta =',
    _meta: {},
  });
  expect(result.structuredContent.total).toBe(1);
  expect(result._meta['nexus/normalized']).toEqual({ source: 'inline' });
});

verifies(
  'call.inline',
  'passes over fields beside arguments that are not empty, and says so',
  async (way) => {
    const { server } = await shared(way);
    const { result } = await server.session.call('search_codebase', { query: 'alpha' }, { query: 'beta =' });
    expect(result.structuredContent.total).toBe(2);
    expect(result._meta['nexus/normalized']).toEqual({ ignored: ['query'] });
  },
);

verifies('call.args', 'takes args for arguments', async (way) => {
  const { server } = await shared(way);
  for (const also of [{ args: { query: 'beta =' } }, { arguments: {}, args: { query: 'beta =' } }]) {
    const { result } = await server.session.ask('tools/call', { name: 'search_codebase', ...also });
    expect(result.structuredContent.total).toBe(1);
    expect(result._meta['nexus/normalized']).toEqual({ source: 'args' });
  }
});

const NOT_OBJECTS = { array: [], string: '{}', number: 7, null: null, boolean: false };

verifies('call.not-an-object', 'refuses arguments that are no object', async (way) => {
  const { server } = await shared(way);
  for (const [type, value] of Object.entries(NOT_OBJECTS)) {
    for (const key of ['arguments', 'args']) {
      const { error } = await server.session.ask('tools/call', { name: 'search_codebase', [key]: value });
      expect(error, `${key}: ${type}`).toMatchObject({
        code: -32602,
        message: expect.stringContaining(`${key} must be an object, received ${type}`),
      });
    }
  }
});

verifies('call.repair', 'repairs a stringified number where validation would fail', async (way) => {
  const { server } = await shared(way);
  const { result } = await server.session.call('slow_echo', { count: '5', numeral: '7' });
  expect(result.structuredContent).toEqual({ text: '', count: 5, numeral: '7' });
  expect(result._meta['nexus/normalized']).toEqual({ repaired: ['count'] });
});

verifies('call.repair', 'leaves a text alone that only looks like a number', async (way) => {
  const { server } = await shared(way);
  const { result } = await server.session.call('slow_echo', { numeral: '7', text: '[1]' });
  expect(result.structuredContent).toEqual({ text: '[1]', numeral: '7' });
  expect(result._meta).not.toHaveProperty(['nexus/normalized']);
});

verifies('call.invalid', 'says what is wrong with arguments, and what would pass', async (way) => {
  const { server } = await shared(way);
  const { result } = await server.session.call('search_codebase', { qurey: 'x', limit: 'many' });
  expect(result.isError).toBe(true);
  const [{ text }] = result.content;
  expect(text).toMatch(/- query: is missing/);
  expect(text).toMatch(/- qurey: no such argument; did you mean query\?/);
  expect(text).toMatch(/- limit: /);
  expect(text).toMatch(/Received keys: qurey, limit/);
  const { code, category, retryable, detail } = result._meta['nexus/error'];
  expect({ code, category, retryable }).toEqual({
    code: 'NEXUS_INVALID_ARGUMENTS',
    category: 'validation',
    retryable: false,
  });
  const next = await server.session.call('search_codebase', detail.example);
  expect(next.result.isError ?? false).toBe(false);
});

verifies('call.unknown-tool', 'names the nearest tools', async (way) => {
  const { server } = await shared(way);
  const { error } = await server.session.call('search_codebse', { query: 'x' });
  expect(error).toMatchObject({
    code: -32602,
    message: expect.stringMatching(/Unknown tool: search_codebse; did you mean search_codebase/),
  });
});

verifies('call.internal', 'keeps the cause of a defect to the log', async (way) => {
  const { server } = await shared(way);
  const { error } = await server.session.call('slow_fail');
  expect(error?.code).toBe(-32603);
  expect(JSON.stringify(error)).not.toMatch(/the cause that stays|\bat .*:\d+/);
  const { correlationId } = error?.data ?? {};
  // The answer and the log leave by two pipes, in no promised order.
  await vi.waitFor(() => expect(server.stderr()).toContain(correlationId), LOG_WAIT);
  expect(server.stderr()).toContain('the cause that stays in the log');
});

verifies('call.internal', 'passes on no result that breaks the output schema', async (way) => {
  const { server } = await shared(way);
  const { error } = await server.session.call('slow_break_word');
  expect(error?.code).toBe(-32603);
  expect(JSON.stringify(error)).not.toContain('many');
});

verifiesAnew('call.large', 'carries 5 MB both ways', async (way) => {
  const config = { limits: { maxResultChars: 10_000_000 } };
  await using project = await makeProject({ slowPlugin: true, config });
  await using server = await way.open(project);
  const text = '≈5 MB '.repeat(750_000);
  const { result } = await server.session.call('slow_echo', { text });
  expect(Buffer.byteLength(text)).toBeGreaterThan(5_000_000);
  // Not by toEqual: a difference would be printed whole.
  expect(result.structuredContent.text === text).toBe(true);
});

verifies('call.interleaved', 'answers a quick call while a slow one runs', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const slow = session.ask('tools/call', { name: 'slow_wait', arguments: { ms: 1500 } }, 'slow');
  const quick = await session.ask('tools/call', { name: 'slow_echo', arguments: { text: 'q' } }, 'quick');
  expect(session.received.some(({ id }) => id === 'slow')).toBe(false);
  expect(quick.result.structuredContent.text).toBe('q');
  expect((await slow).result.structuredContent.waitedMs).toBe(1500);
});

verifies('call.interleaved', 'gives each of many calls its own answer', async (way) => {
  const { server } = await shared(way);
  const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
  const answers = await Promise.all(texts.map((text) => server.session.call('slow_echo', { text })));
  expect(answers.map(({ result }) => result.structuredContent.text)).toEqual(texts);
});

verifiesAnew('call.rate', 'tells a session above its rate how long to wait', async (way) => {
  const limits = { burst: 2, callsPerSecond: 0.1 };
  await using project = await makeProject({ slowPlugin: true, config: { limits } });
  await using server = await way.open(project);
  const answers = await Promise.all([1, 2, 3].map(() => server.session.call('slow_echo')));
  expect(answers.map(({ result }) => result.isError ?? false)).toEqual([false, false, true]);
  const { code, retryable, detail } = answers[2]?.result._meta['nexus/error'] ?? {};
  expect({ code, retryable }).toEqual({ code: 'NEXUS_RATE_LIMITED', retryable: true });
  expect(detail.retryAfterMs).toBeGreaterThan(0);
});

verifiesApp('call.honest', 'lets a loop of many quick calls through, and as many side by side', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = startServer(project);
  await server.session.initialize();
  const echo = () => server.session.call('slow_echo');
  const answers: Message[] = [];
  for (let at = 0; at < 600; at += 1) answers.push(await echo());
  answers.push(...(await Promise.all(Array.from({ length: 400 }, echo))));
  expect(answers.filter(({ result }) => result === undefined || result.isError)).toEqual([]);
});

verifiesAnew('call.permission', 'refuses what the config denies', async (way) => {
  await using project = await makeProject({ config: { permissions: { deny: ['search_*'] } } });
  await using server = await way.open(project);
  const { result } = await server.session.call('search_codebase', { query: 'x' });
  expect(result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_DENIED', category: 'permission' });
});

verifiesApp(
  'config.own',
  'refuses what its user forbids beside a project’s config, and says where',
  async () => {
    await using project = await makeProject({ config: { permissions: { allow: ['*'] } } });
    const folder = join(project.env.HOME ?? '', '.config', 'nexus');
    await mkdir(folder, { recursive: true });
    const own = join(folder, 'nexus.config.json');
    const forbidden = { permissions: { deny: ['search_*'] }, tools: { bundle: { enabled: false } } };
    await writeFile(own, JSON.stringify(forbidden));
    await using server = startServer({
      ...project,
      env: { ...project.env, XDG_CONFIG_HOME: dirname(folder) },
    });
    await server.session.initialize();
    const ops = [{ tool: 'list_files', arguments: {} }];
    for (const [tool, args, why] of [
      [
        'search_codebase',
        { query: 'x' },
        `search_codebase is denied by permissions.deny "search_*" in ${own}, the user’s own config.`,
      ],
      ['bundle', { ops }, `bundle is turned off by tools.bundle.enabled in ${own}, the user’s own config.`],
    ] as const) {
      const { result } = await server.session.call(tool, args);
      expect(result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_DENIED' });
      expect(result.content[0].text).toContain(why);
    }
    const { result } = await server.session.ask('tools/list');
    const listed = result.tools.map(({ name }: { name: string }) => name);
    expect(listed.filter((name: string) => name === 'bundle' || name.startsWith('search_'))).toEqual([]);
  },
);

verifiesAnew(
  'call.permission',
  'refuses it in a bundle, and of a toolbox by the name it is registered by, where nothing shows it',
  async (way) => {
    await using project = await makeProject({
      config: {
        permissions: { deny: ['search_*', 'dev__domains__add*'] },
        toolboxes: {
          dev: {
            description: 'Domains.',
            mcpServers: { domains: { command: process.execPath, args: [domainsServer] } },
          },
        },
      },
    });
    await using server = await way.open(project);
    const ops = [{ tool: 'search_codebase', arguments: { query: 'x' } }];
    expect(JSON.stringify(await server.session.call('bundle', { ops }))).toContain('NEXUS_DENIED');
    const use = (tool: string, args: object) =>
      server.session.call('use_tool', { toolbox: 'dev', server: 'domains', tool, arguments: args });
    const refused = await use('addDomain', { userId: 1, name: 'Rust' });
    expect(refused.result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_DENIED' });
    for (const [tool, args] of [
      ['find_tools', { queries: ['domain of a user'] }],
      ['open_toolbox', { toolbox: 'dev' }],
    ] as const) {
      const shown = JSON.stringify((await server.session.call(tool, args)).result.structuredContent);
      expect(shown).toContain('getAllDomainsofUser');
      expect(shown).not.toContain('addDomain');
    }
    const { result } = await use('getAllDomainsofUser', { userId: 1 });
    expect(result.isError).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('Rust');
  },
);
