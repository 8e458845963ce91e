import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { madeIn } from './clean.ts';

const MADE = ['a.tgz', 'apps/one/.reports', 'apps/one/dist', 'apps/one/x.tsbuildinfo'];
const KEPT = ['.git/dist/x', '.nexus/dist/x', 'apps/one/src/dist.ts', 'apps/one/README.md'];

it('finds what is made anew by a build, and nothing that was written', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'nexus-clean-')));
  try {
    const files = [
      ...KEPT,
      'node_modules/dist/x',
      ...MADE.map((path) => (/\.\w+$/.test(path) && !path.endsWith('.reports') ? path : `${path}/x`)),
    ];
    for (const path of files) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), '');
    }
    const found = async (installed: boolean) =>
      (await madeIn(root, { installed })).map((path) => relative(root, path).replaceAll('\\', '/'));
    expect(await found(false)).toEqual(MADE);
    expect(await found(true)).toEqual([...MADE, 'node_modules']);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
