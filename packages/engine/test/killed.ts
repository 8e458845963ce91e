import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { ended, type Place, startEngine } from './engine-under-test.ts';
import { killedKinds, WHOLE } from './killed-kinds.ts';

const CHILD = fileURLToPath(new URL('./killed-child.ts', import.meta.url));

async function runChild(place: Place, file: string, dieAfter: number) {
  const { projectId, dataDir, databaseUrl = '-' } = place.location;
  const args = ['--import', 'tsx', CHILD, projectId, dataDir, databaseUrl, file, String(dieAfter)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { signal, said };
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);

function workFile(place: Place): string {
  const file = join(place.location.dataDir, 'work.txt');
  writeFileSync(file, '');
  return file;
}

/** @returns how many writes the whole run takes in a process that nobody kills */
export async function countWrites(makePlace: () => Place): Promise<number> {
  await using place = makePlace();
  const file = workFile(place);
  const { said } = await runChild(place, file, 0);
  expect(linesOf(file).sort()).toEqual([...WHOLE].sort());
  return Number(/after (\d+)/.exec(said)?.[1]);
}

/** Kills a process right after its nth write, and holds that the next loses and repeats nothing. */
export async function killAfter(makePlace: () => Place, count: number): Promise<void> {
  await using place = makePlace();
  const file = workFile(place);
  expect(await runChild(place, file, count)).toMatchObject({ signal: 'SIGKILL' });
  await using next = startEngine(place, killedKinds(file));
  const { on } = await next.engine.open();
  const done = await on.db
    .selectFrom('runs_steps')
    .select('name')
    .where('status', '=', 'completed')
    .execute();
  await next.engine.adopt();
  const [run] = (await next.runs.list({ limit: 1 })).runs;
  expect(await ended(next.runs, run?.id ?? '')).toMatchObject({ status: 'completed', output: WHOLE });
  const lines = linesOf(file);
  expect([...new Set(lines)].sort()).toEqual([...WHOLE].sort());
  for (const { name: step } of done) {
    if (WHOLE.includes(step)) expect([step, lines.filter((line) => line === step).length]).toEqual([step, 1]);
  }
}
