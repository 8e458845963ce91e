import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { bundleProgram } from '../../../../vitest.programs.ts';
import { testFinding } from '../test/finding-suite.ts';
import { testLongHits } from '../test/long-hits-suite.ts';
import { testContract, testMemory } from '../test/memory-suite.ts';
import memory from './index.ts';

testFinding('SQLite', async () => ({}));
testMemory('SQLite', async () => ({}));
testLongHits('SQLite', async () => ({}));
testContract({});

it('has every answered write after its process was killed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-memory-'));
  const program = await bundleProgram(new URL('../test/write-forever.ts', import.meta.url));
  const child = spawn(process.execPath, [program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let answered = 0;
  for await (const _line of createInterface({ input: child.stdout })) {
    answered++;
    if (answered === 10) child.kill('SIGKILL');
  }
  await exited;
  const plugin = await startPlugin(memory, { dataDir });
  const { results, total } = await plugin.answer<{ results: { key: string }[]; total: number }>(
    'memory_query',
    {
      query: 'durable',
      limit: 100,
    },
  );
  await plugin.stop();
  rmSync(dataDir, { recursive: true, force: true });
  expect(answered).toBeGreaterThanOrEqual(10);
  expect(total).toBeGreaterThanOrEqual(answered);
  expect(results.map(({ key }) => key)).toEqual(expect.arrayContaining(['entry-0', 'entry-9']));
});

it('is read at once while another process writes, whether anything was ever written or not', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-memory-'));
  const other = await startPlugin(memory, { dataDir });
  const db = await other.host.store.open('other', []);
  const read = async (plugin: PluginUnderTest) => [
    await plugin.answer('memory_query', { query: 'durable' }),
    await plugin.answer('memory_stats', { includeDecay: true }),
  ];
  const none = { entries: 0, versions: 0, bytes: 0, decay: { fresh: 0, fading: 0, faded: 0 } };
  for (const isWritten of [false, true]) {
    const plugin = await startPlugin(memory, { dataDir });
    const found = await db.transaction().execute(() => read(plugin));
    expect(found).toMatchObject([
      { total: isWritten ? 1 : 0 },
      { total: isWritten ? 1 : 0, backends: [isWritten ? { entries: 1 } : none, none, none, none, none] },
    ]);
    const { rows } = await sql`select 1 from sqlite_master where name = 'memory_entries'`.execute(db);
    expect(rows).toHaveLength(isWritten ? 1 : 0);
    if (!isWritten) await plugin.answer('memory_write', { key: 'a', value: 'durable', backend: 'session' });
    await plugin.stop();
  }
  await other.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('names the words that it did not look for, since the query has so many', async () => {
  const plugin = await startPlugin(memory);
  const query = (count: number) => Array.from({ length: count }, (_, at) => `w${at}x`).join(' ');
  const { content, structuredContent } = await plugin.call('memory_query', { query: query(50) });
  expect(structuredContent).toMatchObject({ unusedWords: ['w48x', 'w49x'] });
  expect(content[0]?.text).toContain('Not looked for, as the query has so many words: w48x, w49x.');
  const few = await plugin.call('memory_query', { query: query(48) });
  expect(few.structuredContent).not.toHaveProperty('unusedWords');
  await plugin.stop();
});
