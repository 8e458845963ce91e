import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type StdioServer, startStdioServer } from '../test/stdio-server.ts';
import { type FakeServerSwitches, fakeServer } from './fake-server.ts';

let folder: string;
const running: StdioServer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-fake-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

function start(switches: FakeServerSwitches = {}) {
  const server = startStdioServer(fakeServer(switches));
  running.push(server);
  return server;
}
const call = (server: StdioServer, name: string, args = {}, meta = {}) =>
  server.request('tools/call', { name, arguments: args, _meta: meta });
const names = (list: Record<string, unknown>) => (list.tools as { name: string }[]).map(({ name }) => name);

it('initializes, lists and answers', async () => {
  const server = start({ name: 'one', instructions: 'Be kind.' });
  expect(await server.request('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'one' },
    instructions: 'Be kind.',
  });
  expect(names(await server.request('tools/list'))).toContain('echo');
  expect(await call(server, 'echo', { a: 'ü\u2028' })).toMatchObject({
    content: [{ text: '{"a":"ü\u2028"}' }],
  });
  await expect(call(server, 'none')).rejects.toMatchObject({ code: -32602 });
});

it('serves pages, and a cursor that leads to itself when asked to', async () => {
  const server = start({ pageSize: 5, manyTools: 20 });
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const page = await server.request('tools/list', cursor === undefined ? {} : { cursor });
    seen.push(...names(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen.filter((name) => name.startsWith('tool_'))).toHaveLength(20);
  expect(new Set(seen).size).toBe(seen.length);
  expect((await start({ repeatCursor: true }).request('tools/list')).nextCursor).toBe('0');
});

it('dies at start with a code and a word on stderr, as often as it is told to', async () => {
  const startsFile = join(folder, 'starts');
  const { command, args } = fakeServer({ exitCode: 3, failStarts: 1, startsFile, stderr: 'no key' });
  const first = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const stderr = first.stderr.setEncoding('utf8').toArray();
  expect(await once(first, 'exit')).toEqual([3, null]);
  expect((await stderr).join('')).toBe('no key\n');
  const second = start({ exitCode: 3, failStarts: 1, startsFile });
  await second.request('ping');
  expect(readFileSync(startsFile, 'utf8').trim().split('\n')).toEqual([
    String(first.pid),
    String(second.pid),
  ]);
});

it('hangs at start, and is alive all the same', async () => {
  const server = start({ hang: 'initialize' });
  const outcome = server.request('initialize', {}).then(() => 'answered');
  await server.request('ping');
  expect(await Promise.race([outcome, 'silent'])).toBe('silent');
});

it('dies in the middle of a call', async () => {
  const server = start();
  void call(server, 'die', { exitCode: 4 });
  expect(await server.exited).toBe(4);
});

it('has a grandchild that outlives it', async () => {
  const server = start();
  const { structuredContent } = await call(server, 'fork');
  const { pid } = structuredContent as { pid: number };
  await server.stop();
  expect(process.kill(pid, 0)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

it('prints rubbish between its messages', async () => {
  const server = start({ rubbish: true });
  await server.request('ping');
  expect(server.rubbish.join('\n')).toContain('Starting up...');
  expect(server.rubbish).toContain('about to answer ping');
});

it('changes a description once the marker is there', async () => {
  const markerFile = join(folder, 'marker');
  const server = start({ markerFile });
  const before = await server.request('tools/list');
  writeFileSync(markerFile, '');
  const after = await server.request('tools/list');
  expect(names(after)).toEqual(names(before));
  expect(after).not.toEqual(before);
});

it('tells of a changed list', async () => {
  const server = start();
  await call(server, 'change_list');
  expect(server.notifications).toContainEqual({ method: 'notifications/tools/list_changed', params: {} });
  expect(names(await server.request('tools/list'))).toContain('added');
});

it('reports progress, stops when it is cancelled, and tells what it received', async () => {
  const server = start();
  await call(server, 'slow', { steps: 2, stepMs: 1 }, { progressToken: 'p' });
  expect(server.notifications.map(({ params }) => params)).toMatchObject([
    { progressToken: 'p', progress: 1 },
    { progressToken: 'p', progress: 2 },
  ]);
  let isAnswered = false;
  const id = server.lastId + 1;
  void call(server, 'slow', { steps: 1, stepMs: 60_000 }).finally(() => {
    isAnswered = true;
  });
  server.notify('notifications/cancelled', { requestId: id });
  const { structuredContent } = await call(server, 'received');
  expect(structuredContent).toMatchObject({
    messages: expect.arrayContaining([{ method: 'notifications/cancelled', params: { requestId: id } }]),
  });
  expect(isAnswered).toBe(false);
});

it('asks its client, and answers what came back', async () => {
  const server = start();
  server.answer = (method) => ({ roots: [{ uri: 'file:///r', name: method }] });
  expect((await call(server, 'ask', { method: 'roots/list' })).structuredContent).toEqual({
    result: { roots: [{ uri: 'file:///r', name: 'roots/list' }] },
  });
});

it('lists broken, long and strangely named tools beside good ones', async () => {
  const list = await start({ badTool: true, longName: true, oddNames: true, schemas: true }).request(
    'tools/list',
  );
  const tools = list.tools as ({ name?: unknown } | null | string)[];
  expect(tools).toContain('no object');
  const found = tools.map((tool) => (typeof tool === 'object' ? tool?.name : undefined));
  expect(found).toEqual(expect.arrayContaining(['echo', 'n'.repeat(80), 'with space', 'every_construct']));
});

it('offers resources and prompts', async () => {
  const server = start({ resources: true });
  expect(await server.request('resources/read', { uri: 'fake://a' })).toMatchObject({
    contents: [{ text: 'content of fake://a' }],
  });
  await server.request('resources/subscribe', { uri: 'fake://a' });
  await call(server, 'touch_resource', { uri: 'fake://a' });
  expect(server.notifications).toMatchObject([{ method: 'notifications/resources/updated' }]);
  expect(await server.request('prompts/get', { name: 'greet', arguments: { who: 'you' } })).toMatchObject({
    messages: [{ content: { text: 'Hello you' } }],
  });
});
