import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTextInside } from './read-text-inside.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-inside-')));
const folder = join(base, 'project');
const own = join(folder, '.data');
mkdirSync(own, { recursive: true });
writeFileSync(join(folder, 'a.ts'), 'const a = 1;\n');
writeFileSync(join(folder, 'image.png'), Buffer.from([137, 0, 1]));
writeFileSync(join(own, 'token'), 'secret');
writeFileSync(join(base, 'outside.ts'), 'outside');
mkdirSync(join(folder, '.git'));
writeFileSync(join(folder, '.git', 'config'), 'url = https://user:token@host');
symlinkSync(join(folder, '.git', 'config'), join(folder, 'readme.md'));
symlinkSync(join(base, 'outside.ts'), join(folder, 'link.ts'));
symlinkSync(join(folder, 'a.ts'), join(folder, 'other.ts'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('the text of a file inside a folder', () => {
  it.each([
    ['that is there', 'a.ts', 'const a = 1;\n'],
    ['by a link inside', './other.ts', 'const a = 1;\n'],
    ['that is not there', 'b.ts', undefined],
    ['above it', '../outside.ts', undefined],
    ['by its whole path elsewhere', join(base, 'outside.ts'), undefined],
    ['by a link that leads out', 'link.ts', undefined],
    ['in what is excepted', '.data/token', undefined],
    ['of git’s own', '.git/config', undefined],
    ['by a link to git’s own', 'readme.md', undefined],
    ['that is no text', 'image.png', undefined],
    ['that is a folder', '.', undefined],
    ['with a name that no file can have', 'a\0b', undefined],
  ])('%s', async (_, path, text) => {
    expect(await readTextInside(path, { folder, except: [own] }, 100)).toBe(text);
  });

  it('is not read where it is too long', async () => {
    expect(await readTextInside('a.ts', { folder, except: [] }, 5)).toBeUndefined();
  });
});
