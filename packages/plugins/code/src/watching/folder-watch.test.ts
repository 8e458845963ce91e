import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../test/start-project.ts';
import { FolderWatch } from './folder-watch.ts';

// Elsewhere events come late, and the index does without them.
describe.runIf(process.platform === 'linux')('FolderWatch', () => {
  it('tells each change that came before it was asked, once', async () => {
    using folder = makeFolder({ 'a.txt': 'x', 'b.txt': 'x' });
    using watch = new FolderWatch();
    watch.add(folder.path);
    folder.write({ 'a.txt': 'y' });
    renameSync(join(folder.path, 'b.txt'), join(folder.path, 'c.txt'));
    const paths = ['a.txt', 'b.txt', 'c.txt'].map((name) => join(folder.path, name));
    expect(await watch.take()).toEqual({ paths: new Set(paths), isPartial: false });
    expect(await watch.take()).toEqual({ paths: new Set(), isPartial: false });
  });

  it('does not keep the process alive', () => {
    using folder = makeFolder();
    using watch = new FolderWatch();
    watch.add(folder.path);
    expect(process.getActiveResourcesInfo()).not.toContain('FSEventWrap');
  });

  it('hears nothing any more of what it dropped, left out or was disposed of', async () => {
    using folder = makeFolder({ 'a/x.txt': '', 'b/x.txt': '', 'c/x.txt': '' });
    using watch = new FolderWatch();
    for (const name of ['a', 'b', 'c']) watch.add(join(folder.path, name));
    expect(watch.drop(join(folder.path, 'a'))).toBe(true);
    expect(watch.drop(join(folder.path, 'a'))).toBe(false);
    watch.keep(new Set([join(folder.path, 'b')]));
    folder.write({ 'a/x.txt': '1', 'b/x.txt': '1', 'c/x.txt': '1' });
    expect((await watch.take()).paths).toEqual(new Set([join(folder.path, 'b/x.txt')]));
    watch[Symbol.dispose]();
    folder.write({ 'b/x.txt': '2' });
    expect((await watch.take()).paths).toEqual(new Set());
  });

  it('stops listening where more is written than anyone could follow, and says so', async () => {
    using folder = makeFolder({ 'a.txt': '' });
    using watch = new FolderWatch();
    watch.add(folder.path);
    for (let at = 0; at < 10_000; at += 1) {
      renameSync(
        join(folder.path, at % 2 ? 'b.txt' : 'a.txt'),
        join(folder.path, at % 2 ? 'a.txt' : 'b.txt'),
      );
      if (at % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await watch.take()).isPartial).toBe(true);
    folder.write({ 'c.txt': '' });
    expect(await watch.take()).toEqual({ paths: new Set(), isPartial: false });
    watch.add(folder.path);
    folder.write({ 'd.txt': '' });
    expect((await watch.take()).paths).toEqual(new Set([join(folder.path, 'd.txt')]));
  });

  it('watches a folder that was removed and made anew', async () => {
    using folder = makeFolder({ 'a/x.txt': '' });
    using watch = new FolderWatch();
    const path = join(folder.path, 'a');
    watch.add(path);
    rmSync(path, { recursive: true });
    folder.write({ 'a/x.txt': '1' });
    await watch.take();
    watch.drop(path);
    watch.add(path);
    folder.write({ 'a/x.txt': '2' });
    expect((await watch.take()).paths).toEqual(new Set([join(path, 'x.txt')]));
  });
});
