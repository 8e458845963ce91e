import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBytes, readTextSync, UnreadableFileError } from './read-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexus-read-'));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

describe('a file that others may have written', () => {
  it('is read whole, also by a link', () => {
    writeFileSync(at('plain'), 'text');
    symlinkSync(at('plain'), at('link'));
    expect(readTextSync(at('link'), 4)).toBe('text');
  });

  it('is refused when it is larger than it may be', () => {
    writeFileSync(at('large'), 'texts');
    expect(() => readTextSync(at('large'), 4)).toThrow(`${at('large')} has 5 bytes, and at most 4 are read`);
  });

  it('is not there: the system says so', () => {
    expect(() => readTextSync(at('none'), 4)).toThrow('ENOENT');
  });

  it.runIf(process.platform !== 'win32')('is none when it is a folder, a device or a pipe', async () => {
    symlinkSync('/dev/null', at('device'));
    execFileSync('mkfifo', [at('pipe')]);
    for (const path of [folder, at('device'), at('pipe')]) {
      expect(() => readTextSync(path, 4)).toThrow(UnreadableFileError);
    }
    await expect(readBytes(at('pipe'), 4)).resolves.toBe('no regular file');
  });
});
