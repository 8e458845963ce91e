import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleProgram } from '../../../../../vitest.programs.ts';
import { type BusUnderTest, startBus } from '../../test/bus-under-test.ts';
import { fillInbox } from '../../test/fill-inbox.ts';
import { busOptions, createBus } from '../bus.ts';

const READER = await bundleProgram(new URL('../../test/reader-process.ts', import.meta.url));
const MESSAGES = 5_000;
const KILLS = 12;

let dataDir: string;
let seenFile: string;
let bus: BusUnderTest;
const name = crypto.randomUUID();

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'nexus-bus-'));
  seenFile = join(dataDir, 'seen');
  writeFileSync(seenFile, '');
  bus = await startBus({ dataDir, options: { name } });
});
afterEach(async () => {
  await bus.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const seen = () => readFileSync(seenFile, 'utf8').split('\n').slice(0, -1);

async function fill(): Promise<void> {
  for (const worker of ['writer', 'reader']) await bus.answer('register_worker', { name: worker });
  await fillInbox(await createBus(busOptions.parse({ name }), bus.host).open(), MESSAGES);
}

it('shows each of 5 000 messages in order, to readers killed at any moment', {
  timeout: 300_000,
}, async () => {
  await fill();
  const readers: number[] = [];
  for (let turn = 1; turn <= KILLS + 1; turn += 1) {
    readers.push(seen().length);
    const reader = spawn(process.execPath, [READER, dataDir, name, seenFile], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exit = once(reader, 'exit');
    if (turn <= KILLS) {
      const enough = (MESSAGES / (KILLS + 2)) * turn;
      while (seen().length < enough && reader.exitCode === null) await setTimeout(turn % 4);
      reader.kill('SIGKILL');
      await exit;
    } else expect(await exit).toEqual([0, null]);
  }
  const all = seen().map(Number);
  expect([...new Set(all)]).toEqual(Array.from({ length: MESSAGES }, (_, at) => at));
  // What a killed reader was shown last comes again, and nothing else does.
  expect(all.length).toBeLessThanOrEqual(MESSAGES + KILLS * 50);
  for (const [at, from] of readers.entries()) {
    const own = all.slice(from, readers[at + 1]);
    expect(own).toEqual([...own].sort((a, b) => a - b));
  }
});
