import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfigFile } from './load.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('a config file that nobody wrote by hand', () => {
  it.runIf(process.platform !== 'win32')('is a device or a pipe', async () => {
    const device = join(folder, 'nexus.config.json');
    symlinkSync('/dev/null', device);
    await expect(readConfigFile(device)).rejects.toThrow('is no regular file');
    const pipe = join(folder, 'nexus.config.yaml');
    execFileSync('mkfifo', [pipe]);
    await expect(readConfigFile(pipe)).rejects.toThrow('is no regular file');
  });

  it('is larger than any config', async () => {
    const file = written('nexus.config.json', '['.repeat(3_000_000));
    await expect(readConfigFile(file)).rejects.toThrow('has 3000000 bytes, and at most 1048576 are read');
  });

  it.each([
    ['brackets', 'nexus.config.json', '['.repeat(500_000), 'nested more than 1000 levels'],
    ['objects', 'nexus.config.yaml', '{a: '.repeat(200_000), 'nested more than 1000 levels'],
    // The quote hides the rest from whoever takes the text for JSON.
    ['objects after a quote', 'nexus.config.yaml', `a: 5"\nb: ${'{a: '.repeat(200_000)}`, 'more than 20000'],
    ['items in items', 'nexus.config.yaml', '- '.repeat(200_000), 'more than 20000'],
    ['some thousand levels', 'nexus.config.yaml', `a: 5"\nb: ${'{a: '.repeat(9_000)}`, 'nested too deep'],
  ])('is nested without end: %s', async (_, name, text, said) => {
    await expect(readConfigFile(written(name, text))).rejects.toThrow(said);
  });

  it('has aliases of aliases', async () => {
    const levels = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`);
    const file = written('nexus.config.yaml', ['a0: &a0 [1]', ...levels].join('\n'));
    await expect(readConfigFile(file)).rejects.toThrow('has aliases (*name) that stand for too much');
  });
});
