import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startHolder } from '../test/holder.ts';
import { isLocked, tryLockFile } from './file-lock.ts';

it('has one holder at a time, and another when it is released', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-lock-'));
  const path = join(folder, 'lock');
  const first = await tryLockFile(path);
  expect(first).toBeDefined();
  expect(await tryLockFile(path)).toBeUndefined();
  first?.release();
  const second = await tryLockFile(path);
  expect(second).toBeDefined();
  second?.release();
  rmSync(folder, { recursive: true, force: true });
});

it('leaves no file, and whoever had opened the old one does not hold the new', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-lock-'));
  const path = join(folder, 'lock');
  for (let round = 0; round < 200; round += 1) {
    const tries = await Promise.all(Array.from({ length: 8 }, () => tryLockFile(path)));
    const holders = tries.filter((lock) => lock !== undefined);
    expect(holders).toHaveLength(1);
    holders[0]?.release();
  }
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(process.platform === 'win32')(
  'is held by a process that is stopped, and free once it is killed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nexus-lock-'));
    const path = join(folder, 'lock');
    const holder = await startHolder(path);
    process.kill(holder.pid, 'SIGSTOP');
    expect(await isLocked(path)).toBe(true);
    expect(await tryLockFile(path)).toBeUndefined();
    await holder.kill();
    expect(await isLocked(path)).toBe(false);
    // Looking leaves nothing behind, and holds nothing.
    expect(readdirSync(folder)).toEqual([]);
    (await tryLockFile(path))?.release();
    rmSync(folder, { recursive: true, force: true });
  },
);
