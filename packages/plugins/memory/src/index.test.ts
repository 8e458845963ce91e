import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import { bundleProgram } from '../../../../vitest.programs.ts';
import { testContract, testMemory } from '../test/memory-suite.ts';
import memory from './index.ts';

testMemory('SQLite', async () => ({}));
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
}, 30_000);
