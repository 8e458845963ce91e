import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { bundleProgram } from '../../../vitest.programs.ts';
import { findPostgres, startPostgres } from '../test/postgres-server.ts';

const isThere = (pid: number) => existsSync(`/proc/${pid}`);
const pidIn = (folder: string) =>
  Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
const folderOf = (url: string) => new URL(url).searchParams.get('host') ?? '';

it.runIf(process.platform === 'linux' && findPostgres() !== undefined)(
  'a Postgres that tests began ends with their process, however that ends, and leaves nothing',
  async () => {
    const program = await bundleProgram(new URL('../test/beside-postgres.ts', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const folder = folderOf(url);
    const pid = pidIn(folder);
    expect(isThere(pid)).toBe(true);
    child.kill('SIGKILL');
    await exited;
    await expect.poll(() => isThere(pid)).toBe(false);
    await expect.poll(() => existsSync(folder)).toBe(false);
  },
);

it.runIf(process.platform === 'linux' && findPostgres() !== undefined)(
  'one that was ended by hand leaves nothing either',
  async () => {
    const server = await startPostgres(findPostgres() ?? '');
    const folder = folderOf(server.url);
    const pid = pidIn(folder);
    await server.crash();
    await server.restart();
    await server.stop();
    expect([isThere(pid), existsSync(folder)]).toEqual([false, false]);
  },
);
