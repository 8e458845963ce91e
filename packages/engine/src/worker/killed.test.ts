import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { databases, ended, type Place, startEngine } from '../../test/engine-under-test.ts';
import { killedKinds, WHOLE } from '../../test/killed-kinds.ts';

const CHILD = fileURLToPath(new URL('../../test/killed-child.ts', import.meta.url));
const AT_ONCE = 2;
/** A child takes seconds on a busy machine: every so many writes, others on each database. */
const STRIDE = 6;

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

it.each(databases)(
  'a process killed right after a write loses and repeats nothing, on $name',
  async ({ name, place }) => {
    let writes = 0;
    {
      await using data = place();
      const file = join(data.location.dataDir, 'work.txt');
      writeFileSync(file, '');
      const { said } = await runChild(data, file, 0);
      writes = Number(/after (\d+)/.exec(said)?.[1]);
      expect(linesOf(file).sort()).toEqual([...WHOLE].sort());
    }
    expect(writes).toBeGreaterThan(15);

    async function killedAfter(count: number) {
      await using data = place();
      const file = join(data.location.dataDir, 'work.txt');
      writeFileSync(file, '');
      expect(await runChild(data, file, count)).toMatchObject({ signal: 'SIGKILL' });
      await using next = startEngine(data, killedKinds(file));
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
        if (WHOLE.includes(step))
          expect([step, lines.filter((line) => line === step).length]).toEqual([step, 1]);
      }
    }

    let next = name === 'SQLite' ? 1 : 4;
    const lane = async () => {
      while (next <= writes) {
        const count = next;
        next += STRIDE;
        await killedAfter(count);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  },
  300_000,
);
