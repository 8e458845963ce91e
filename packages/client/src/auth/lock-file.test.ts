import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { credentialsFile } from './credentials-file.ts';
import { withLockFile } from './lock-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nexus-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('lets one work at a time, and leaves nothing behind', async () => {
  const path = join(folder, 'lock');
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLockFile(path, work)));
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

it('leaves the lock of another that lives, also after having gone on without it', async () => {
  const path = join(folder, 'lock');
  const holder = `${hostname()} ${process.pid} another`;
  await writeFile(path, holder);
  expect(await withLockFile(path, async () => 'went on', 0)).toBe('went on');
  expect(await readFile(path, 'utf8')).toBe(holder);
});

it('leaves a lock that was taken by another while this one worked', async () => {
  const path = join(folder, 'lock');
  await withLockFile(path, () => writeFile(path, 'another'));
  expect(await readFile(path, 'utf8')).toBe('another');
});

it('clears away the lock of a process that has died', async () => {
  const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(dead, 'exit');
  const credentials = credentialsFile(folder, 'https://a.example');
  await credentials.write({});
  const [file = ''] = await readdir(folder);
  const lock = join(folder, `${file}.lock`);
  await writeFile(lock, `${hostname()} ${dead.pid} dead`);
  expect(await credentials.exclusively(() => readFile(lock, 'utf8'))).toContain(` ${process.pid} `);
  expect(await readdir(folder)).toEqual([file]);
});
