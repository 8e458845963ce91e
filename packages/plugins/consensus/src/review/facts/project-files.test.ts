import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { added } from '../../../test/diffs.ts';
import { filesInProject } from './project-files.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-files-')));
  for (const folder of ['project/data', 'other']) mkdirSync(join(base, folder), { recursive: true });
  for (const file of ['project/a.ts', 'project/data/key.ts', 'other/key.ts']) {
    writeFileSync(join(base, file), 'const key = 1;\n');
  }
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const standing = (...paths: string[]) =>
  filesInProject({
    diff: paths.map((path) => added(path, ['const key = 1;'])).join(''),
    projectRoot: join(base, 'project'),
    privatePaths: [join(base, 'project/data')],
  });

it('are those that stand in the project line by line', async () => {
  writeFileSync(join(base, 'project/b.ts'), 'const key = 2;\n');
  expect(await standing('a.ts', 'b.ts', 'none.ts')).toEqual(['a.ts']);
});

it('are none that lie outside, by their path or a link, and none of Nexus’s own', async () => {
  symlinkSync(join(base, 'other/key.ts'), join(base, 'project/link.ts'));
  expect(await standing('../other/key.ts', 'link.ts', 'data/key.ts')).toEqual([]);
});
