import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StdioServer, startStdioServer } from '../test/stdio-server.ts';
import { replayServer } from './replay-server.ts';

const tools = Array.from({ length: 120 }, (_, index) => ({
  zzz: 'kept first',
  name: `t${index}`,
  description: 'Replayed.',
  inputSchema: { type: 'object', unknown: [null] },
  ...(index === 0 ? { outputSchema: { type: 'object' } } : {}),
}));

let folder: string;
let file: string;
let server: StdioServer;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-replay-'));
  file = join(folder, 'catalogues.json');
  writeFileSync(file, JSON.stringify({ one: { version: '1.2.3', tools } }));
  server = startStdioServer(replayServer(file, 'one'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('serves a catalogue as it was, in pages of fifty', async () => {
  const first = await server.request('tools/list');
  const second = await server.request('tools/list', { cursor: first.nextCursor });
  const third = await server.request('tools/list', { cursor: second.nextCursor });
  const pages = [first, second, third].map((page) => page.tools as unknown[]);
  expect(pages.map((page) => page.length)).toEqual([50, 50, 20]);
  expect(third.nextCursor).toBeUndefined();
  expect(JSON.stringify(pages.flat())).toBe(JSON.stringify(tools));
});

it('answers a call with what arrived, structured where an output schema promises it', async () => {
  const called = { name: 't0', arguments: { a: [1] } };
  expect(await server.request('tools/call', called)).toEqual({
    content: [{ type: 'text', text: JSON.stringify(called) }],
    structuredContent: called,
  });
  expect(await server.request('tools/call', { name: 't1' })).not.toHaveProperty('structuredContent');
  await expect(server.request('tools/call', { name: 'none' })).rejects.toMatchObject({ code: -32602 });
});

it('ends at once for a server that the file does not have', async () => {
  expect(await startStdioServer(replayServer(file, 'two')).exited).toBe(1);
});
