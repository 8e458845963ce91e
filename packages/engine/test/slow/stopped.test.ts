import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundleProgram } from '../../../../vitest.programs.ts';
import { databases, ended, startEngine } from '../engine-under-test.ts';
import { stoppedKind } from '../stopped-kind.ts';

const CHILD = new URL('../stopped-child.ts', import.meta.url);

it.skipIf(process.platform === 'win32').each(databases)(
  'a process that is stopped, overtaken and goes on writes nothing more, on $name',
  async ({ place }) => {
    await using data = place();
    const { projectId, dataDir, databaseUrl = '-' } = data.location;
    const goFile = join(dataDir, 'go');
    const args = [await bundleProgram(CHILD), projectId, dataDir, databaseUrl, goFile];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let said = '';
      child.stdout.on('data', (chunk) => {
        said += String(chunk);
      });
      await expect.poll(() => isStopped(child.pid), { timeout: 60_000 }).toBe(true);
      // It is there, name and all, and says nothing for longer than its lease.
      data.ahead(31_000);
      await using next = startEngine(data, [stoppedKind({ by: 'the next', goFile: undefined })]);
      await next.engine.adopt();
      const [run] = (await next.runs.list({ limit: 1 })).runs;
      const id = run?.id ?? '';
      expect(await ended(next.runs, id)).toMatchObject({ output: 'the next' });
      const events = await next.runs.events(id);
      writeFileSync(goFile, '');
      const exit = once(child, 'exit');
      child.kill('SIGCONT');
      expect(await exit).toEqual([0, null]);
      expect(said).toContain('"the next"');
      // Nothing came after its end, nor anything else from the late one.
      expect(await next.runs.events(id)).toEqual(events);
      expect(await next.runs.get(id)).toMatchObject({
        output: 'the next',
        steps: [{ name: 'work', attempt: 2, status: 'completed' }],
      });
    } finally {
      child.kill('SIGKILL');
    }
  },
);

function isStopped(pid: number | undefined): boolean {
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T');
}
