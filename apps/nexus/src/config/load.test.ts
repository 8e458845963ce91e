import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from './config-fault.ts';
import { readConfigFile, withPlaces } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexus-load-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string, name = 'nexus.config.yaml'): string {
  const file = join(folder, name);
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

  it('finds the place of each fault that is shown, and of no other', async () => {
    const keys = Array.from({ length: 60 }, (_, at) => `key${at}`);
    const file = fileOf(keys.map((key) => `${key}: 1`).join('\n'), 'many.yaml');
    const error = new ConfigError(
      file,
      keys.map((path) => ({ path, message: 'no such key' })),
    );
    const { faults } = await withPlaces(error, file);
    expect(faults[49]?.place).toEqual({ line: 50, column: 1 });
    expect(faults[50]?.place).toBeUndefined();
  });

  it('reads JSON with comments and trailing commas, and finds its faults where they stand', async () => {
    const text = '{\n  // a comment, with "quotes": and\n  "profile": "lean", /* more */\n}';
    const file = fileOf(text, 'nexus.config.json');
    expect(await readConfigFile(file)).toEqual({ profile: 'lean' });
    const error = new ConfigError(file, [{ path: 'profile', message: 'is odd' }]);
    expect((await withPlaces(error, file)).faults).toMatchObject([{ place: { line: 3, column: 3 } }]);
    const broken = fileOf('{\n  // a comment\n  "profile": }', 'nexus.config.json');
    await expect(readConfigFile(broken)).rejects.toThrow(/Unexpected token '}'.*\(line 3, column 14\)/);
  });

  it('names a file that can not be read', async () => {
    await expect(readConfigFile(folder)).rejects.toThrow(/is no regular file/);
  });
});
