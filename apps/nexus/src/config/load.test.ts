import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfigFile } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexus-load-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string): string {
  const file = join(folder, 'nexus.config.yaml');
  writeFileSync(file, text);
  return file;
}

describe('readConfigFile', () => {
  it.each([
    ['JSON', '{"server": {"name": "x"}}', { server: { name: 'x' } }],
    ['YAML', 'server:\n  name: x', { server: { name: 'x' } }],
    ['a byte order mark', '\uFEFF{"server": {}}', { server: {} }],
    ['an empty file', '', {}],
  ])('reads %s', async (_what, text, expected) => {
    expect(await readConfigFile(fileOf(text))).toEqual(expected);
  });

  it.each([
    ['broken syntax, with the line', 'a: [', /at line 1/],
    ['a key given twice', 'a: 1\na: 2', /unique/],
    ['something that is no object', '- 1', /must hold an object/],
  ])('refuses %s', async (_what, text, message) => {
    await expect(readConfigFile(fileOf(text))).rejects.toThrow(message);
  });

  it('names a file that can not be read', async () => {
    await expect(readConfigFile(folder)).rejects.toThrow(/can't be read/);
  });
});
