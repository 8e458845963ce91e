import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryLockFile } from './lock.ts';

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
