import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { importPlugin } from './import-plugin.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-import-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GOOD = `export default {
  name: 'good', tools: [], options: { safeParse() {} }, async start() {}, async stop() {},
};`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const load = (specifier: string, from = folder) => importPlugin(specifier, from, folder);

describe('importPlugin', () => {
  it('imports a file beside the config', async () => {
    write('good.mjs', GOOD);
    expect((await load('./good.mjs')).name).toBe('good');
  });

  it('imports a package by its exports, from a folder or from node_modules further up', async () => {
    const manifest = {
      name: '@acme/good',
      type: 'module',
      exports: { '.': { types: './x.d.ts', import: './lib/main.js' } },
    };
    write('node_modules/@acme/good/package.json', JSON.stringify(manifest));
    write('node_modules/@acme/good/lib/main.js', GOOD);
    expect((await load('@acme/good', join(folder, 'deep/down'))).name).toBe('good');
    expect((await load('./node_modules/@acme/good')).name).toBe('good');
  });

  it('says where it looked and how to install what is missing', async () => {
    await expect(load('@acme/none')).rejects.toThrow(`was not found from ${folder}`);
    await expect(load('@acme/none')).rejects.toThrow('npm install @acme/none');
    await expect(load('./none.mjs')).rejects.toThrow('check the path');
  });

  it('carries the reason when the module itself fails', async () => {
    write('broken.mjs', 'throw new Error("no database");');
    await expect(load('./broken.mjs')).rejects.toThrow('no database');
  });

  it.each([
    ['no default export', 'export const x = 1;', 'has no default export'],
    ['a bad name', GOOD.replace("'good'", "'Good One'"), 'has no name'],
    ['no tools', GOOD.replace('tools: [],', ''), 'has no list of tools'],
    ['options that are no schema', GOOD.replace('{ safeParse() {} }', '{}'), 'has no zod schema'],
    ['no start', GOOD.replace('async start() {},', ''), 'lacks start or stop'],
  ])('refuses a module with %s', async (what, text, message) => {
    const file = `${what.replaceAll(' ', '-')}.mjs`;
    write(file, text);
    await expect(load(`./${file}`)).rejects.toThrow(message);
  });
});
