import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlugin } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import bus from '../index.ts';
import { throughLinks } from './through-links.ts';

// Windows lets a user make a link to a folder alone, as a junction.
describe('a glob on whose way a link is', () => {
  let root: string;
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-links-')));
    for (const folder of ['b/deep', 'a', 'app/[id]']) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'b/x.ts'), '');
    const link = (from: string, to: string) => symlinkSync(join(root, to), join(root, from), 'junction');
    link('a/link', 'b');
    link('app/[id]/shared', 'b/deep');
    link('a/out', '..');
    link('a/all', '.');
    link('a/gone', 'nowhere');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each([
    ['a/link/x.ts', 'b/x.ts'],
    ['a/link/new/y.ts', 'b/new/y.ts'],
    ['a/link/**', 'b/**'],
    ['a/link/{x,y}.ts', 'b/{x,y}.ts'],
    ['a/link', 'b'],
    ['app/[id]/shared/*.ts', 'b/deep/*.ts'],
    ['a/all/b/x.ts', 'b/x.ts'],
    ['a/all/**', '**'],
    ['a/all', '**'],
  ])('%s is of %s as well', (glob, real) => {
    expect(throughLinks(glob, root)).toEqual([glob, real]);
  });

  it.each(['b/x.ts', 'a/*/x.ts', '**/x.ts', 'a/out/other/x.ts', 'a/gone/x.ts', 'new/x.ts', '**'])(
    '%s is of itself alone',
    (glob) => {
      expect(throughLinks(glob, root)).toEqual([glob]);
    },
  );

  it('is reserved where it leads, and released there', async () => {
    const plugin = await startPlugin(bus, { projectRoot: root });
    for (const name of ['ann', 'ben']) await plugin.answer('register_worker', { name });
    const ann = { worker: 'ann', globs: ['a/link/x.ts'] };
    expect(await plugin.answer('reserve_files', ann)).toMatchObject({ globs: ['a/link/x.ts', 'b/x.ts'] });
    const ofBen = (globs: string[]) => plugin.call('reserve_files', { worker: 'ben', globs });
    for (const globs of [['b/x.ts'], ['b/*.ts'], ['a/all/b/x.ts'], ['a/link']]) {
      expect((await ofBen(globs)).content[0]?.text).toContain('by ann until');
    }
    expect(await plugin.answer('release_files', ann)).toEqual({ released: ['a/link/x.ts', 'b/x.ts'] });
    expect((await ofBen(['b/x.ts'])).isError).toBeFalsy();
    await plugin.stop();
  });
});
