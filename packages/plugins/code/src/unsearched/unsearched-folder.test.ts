import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeFolder, type Project, startProject } from '../../test/start-project.ts';
import { FolderWatch } from '../watching/folder-watch.ts';

afterEach(() => vi.restoreAllMocks());

const LARGE = 'x'.repeat(3_000);
const WIDE = Buffer.from('a needle in Köln', 'utf16le');
const LATIN = Buffer.from('a needle in Köln', 'latin1');

async function notes(project: Project, query = 'needle'): Promise<string[]> {
  const answer = await project.answer<{ notes?: string[] }>('search_codebase', { query });
  return (answer.notes ?? []).map((note) => note.replace(/^.*: (.*?)(?:\. Named as directory.*)?$/, '$1'));
}

/** A project that has been searched until its folder is known. */
async function known(files: Record<string, string | Uint8Array>, options: object = {}) {
  const project = await startProject(files, { options: { maxFileBytes: 2_000, ...options } });
  for (const query of ['needle', 'Köln', 'needle', 'Köln']) await notes(project, query);
  return project;
}

describe.each([
  ['learning of changes by events', true],
  ['going through the folder', false],
])('what a search did not see, %s', (_how, watch) => {
  it('is as the files are in the very next answer', async () => {
    await using project = await known({ 'a.txt': 'needle', 'deep/b.txt': 'needle' }, { watch });
    expect(await notes(project)).toEqual([]);
    project.write({ 'a.txt': LARGE });
    expect(await notes(project)).toEqual(['a.txt.']);
    project.write({ 'deep/b.txt': WIDE, 'deep/er/c.txt': WIDE, 'd.txt': LATIN });
    expect(await notes(project)).toEqual(['a.txt.', 'deep/b.txt (UTF-16LE), deep/er/c.txt (UTF-16LE)']);
    expect((await notes(project, 'Köln'))[1]).toContain('d.txt (Windows-1252)');
    project.write({ 'a.txt': 'needle', 'd.txt': 'needle' });
    renameSync(join(project.path, 'deep'), join(project.path, 'moved'));
    expect(await notes(project)).toEqual(['moved/b.txt (UTF-16LE), moved/er/c.txt (UTF-16LE)']);
    project.write({ 'moved/er/c.txt': 'needle' });
    rmSync(join(project.path, 'moved/b.txt'));
    expect(await notes(project)).toEqual([]);
    rmSync(join(project.path, 'moved'), { recursive: true });
    project.write({ 'moved/a.txt': 'needle' });
    expect(await notes(project)).toEqual([]);
    project.write({ 'moved/a.txt': LARGE });
    expect(await notes(project)).toEqual(['moved/a.txt.']);
    using elsewhere = makeFolder();
    renameSync(join(project.path, 'moved'), join(elsewhere.path, 'moved'));
    expect(await notes(project)).toEqual([]);
  });

  it('follows lists of ignored files, of the repository’s own too', async () => {
    await using project = await known({ 'gen/a.txt': LARGE, 'b.txt': LARGE }, { watch });
    expect(await notes(project)).toEqual(['b.txt, gen/a.txt.']);
    project.write({ '.gitignore': 'gen/\n' });
    expect(await notes(project)).toEqual(['b.txt.']);
    project.write({ 'gen/c.txt': LARGE, '.gitignore': '' });
    expect(await notes(project)).toEqual(['b.txt, gen/a.txt, gen/c.txt.']);
    project.write({ 'gen/.gitignore': 'c.txt\n' });
    expect(await notes(project)).toEqual(['b.txt, gen/a.txt.']);
    project.write({ 'gen/.gitignore': '' });
    mkdirSync(join(project.path, '.git/info'), { recursive: true });
    expect(await notes(project)).toEqual(['b.txt, gen/a.txt, gen/c.txt.']);
    project.write({ '.git/info/exclude': 'b.txt\n' });
    expect(await notes(project)).toEqual(['gen/a.txt, gen/c.txt.']);
  });
});

// Elsewhere events come late, and each search goes through the folder.
describe.runIf(process.platform === 'linux')('what a search did not see', () => {
  it('is found once, and kept by what changed alone', async () => {
    using rg = countedRipgrep();
    await using project = await known({ 'a.txt': 'needle', 'b.txt': LARGE }, { ripgrepPath: rg.path });
    expect(await notes(project)).toEqual(['b.txt.']);
    const runs = rg.runs();
    const picture = Buffer.from([0, 1]);
    project.write({ 'a.txt': 'a needle', 'b.txt': `${LARGE}x`, 'c.txt': 'needle', 'd.png': picture });
    expect(await notes(project)).toEqual(['b.txt.']);
    project.write({ 'b.txt': 'needle' });
    expect(await notes(project)).toEqual([]);
    expect(rg.runs()).toBe(runs + 2);
  });

  it('is asked of rg once for a file that turns out to be ignored', async () => {
    using rg = countedRipgrep();
    const files = { '.gitignore': '*.log\n', 'a.txt': 'needle' };
    await using project = await known(files, { ripgrepPath: rg.path });
    project.write({ 'a.log': LARGE });
    expect(await notes(project)).toEqual([]);
    const runs = rg.runs();
    for (const more of ['x', 'xx']) {
      project.write({ 'a.log': LARGE + more });
      expect(await notes(project)).toEqual([]);
    }
    expect(rg.runs()).toBe(runs + 2);
    project.write({ '.gitignore': '' });
    expect(await notes(project)).toEqual(['a.log.']);
  });

  it('is looked for anew after a minute, for what no event tells', async () => {
    using rg = countedRipgrep();
    await using project = await known({ 'a.txt': 'needle' }, { ripgrepPath: rg.path });
    await notes(project);
    const runs = rg.runs();
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 61_000);
    await notes(project);
    expect(rg.runs()).toBeGreaterThan(runs + 1);
  });

  it('is narrowed by a glob where there is any', async () => {
    await using project = await known({ 'a.txt': 'needle', 'b.txt': LARGE, 'c.log': LARGE });
    const search = (glob: string) =>
      project.answer<{ notes?: string[] }>('search_codebase', { query: 'needle', glob });
    expect((await search('*.log')).notes?.join()).toContain(': c.log.');
    expect((await search('a.*')).notes).toBeUndefined();
  });

  it('is found by going through the folder where the system watches no more of them', async () => {
    vi.spyOn(FolderWatch.prototype, 'add').mockImplementation(() => {
      throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' });
    });
    await using project = await known({ 'a.txt': 'needle' });
    project.write({ 'a.txt': LARGE });
    expect(await notes(project)).toEqual(['a.txt.']);
  });
});

/** A program that does what rg does, and writes down that it was run. */
function countedRipgrep() {
  const folder = makeFolder();
  const path = join(folder.path, 'rg');
  const log = join(folder.path, 'runs');
  writeFileSync(path, `#!/bin/sh\necho >> '${log}'\nexec '${rgPath}' "$@"\n`, { mode: 0o755 });
  return {
    path,
    runs: () => readFileSync(log, 'utf8').length,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
