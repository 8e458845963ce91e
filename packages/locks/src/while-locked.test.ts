import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startHolder } from '../test/holder.ts';
import { isLocked } from './file-lock.ts';
import { whileLocked } from './while-locked.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
  await Promise.all(Array.from({ length: 8 }, () => whileLocked(path, work, 60_000)));
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

it('is freed by work that fails', async () => {
  const path = join(folder, 'lock');
  await expect(whileLocked(path, () => Promise.reject(new Error('no')), 0)).rejects.toThrow('no');
  expect(await isLocked(path)).toBe(false);
});

it('goes on without a lock that another keeps, and leaves it to them', async () => {
  const path = join(folder, 'lock');
  const holder = await startHolder(path);
  expect(await whileLocked(path, async () => 'went on', 0)).toBe('went on');
  expect(await isLocked(path)).toBe(true);
  await holder.kill();
});

it('waits for one that is freed', async () => {
  const path = join(folder, 'lock');
  const holder = await startHolder(path);
  const works = whileLocked(path, async () => isLocked(path), 60_000);
  await holder.kill();
  expect(await works).toBe(true);
});
