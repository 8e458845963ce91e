import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureTokenFile } from './token-file.ts';

describe('the token file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nexus-token-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made once, for its owner alone', async () => {
    const path = join(folder, 'data', 'http-token');
    const umask = process.umask(0);
    const token = await ensureTokenFile(path).finally(() => process.umask(umask));
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`);
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    }
    expect(await ensureTokenFile(path)).toBe(token);
  });

  it('may hold a token of the user’s own', async () => {
    const path = join(folder, 'http-token');
    writeFileSync(path, `${'own'.repeat(20)}\r\n`, { mode: 0o600 });
    expect(await ensureTokenFile(path)).toBe('own'.repeat(20));
  });

  it('is refused where it holds none', async () => {
    const path = join(folder, 'http-token');
    for (const text of ['', '\n', 'short']) {
      writeFileSync(path, text, { mode: 0o600 });
      await expect(ensureTokenFile(path)).rejects.toThrow(/holds no token.*delete it/);
    }
  });

  it.skipIf(process.platform === 'win32')('is refused where others can read it', async () => {
    const path = join(folder, 'http-token');
    await ensureTokenFile(path);
    chmodSync(path, 0o640);
    await expect(ensureTokenFile(path)).rejects.toThrow(/open to other users.*delete it/);
  });
});
