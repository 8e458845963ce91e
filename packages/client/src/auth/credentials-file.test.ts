import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLocked } from '@nexus/locks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { credentialsFile } from './credentials-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nexus-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('is read and written by one at a time, each of which sees what the one before wrote', async () => {
  const credentials = credentialsFile(folder, 'https://a.example');
  const count = async () => (await credentials.read()).agreed?.length ?? 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      credentials.exclusively(async () => {
        const agreed = (await credentials.read()).agreed ?? [];
        await credentials.write({ agreed: [...agreed, 'https://b.example'] });
      }),
    ),
  );
  expect(await count()).toBe(8);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)]);
});

it('is locked while a work has it, and free afterwards', async () => {
  const credentials = credentialsFile(folder, 'https://a.example');
  await credentials.write({});
  const [file = ''] = await readdir(folder);
  const lock = join(folder, `${file}.lock`);
  expect(await credentials.exclusively(() => isLocked(lock))).toBe(true);
  expect(await isLocked(lock)).toBe(false);
});
