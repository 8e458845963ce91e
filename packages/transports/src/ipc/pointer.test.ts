import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redactText } from '@nexus/untrusted/secrets';
import { expect, it } from 'vitest';
import { readPointer, writePointer } from './pointer.ts';

it('has the token masked in what leaves the process that wrote it, or read it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nexus-pointer-'));
  try {
    const path = join(folder, 'pointer.json');
    await writePointer(path, { socketPath: 'a.sock', token: 'written-by-owner-1', pid: 1 });
    expect(redactText('no written-by-owner-1')).not.toContain('written-by-owner-1');
    await writeFile(path, JSON.stringify({ socketPath: 'a.sock', token: 'read-by-bridge-2', pid: 1 }));
    expect(await readPointer(path)).toMatchObject({ token: 'read-by-bridge-2' });
    expect(redactText('no read-by-bridge-2')).not.toContain('read-by-bridge-2');
  } finally {
    await rm(folder, { recursive: true });
  }
});
