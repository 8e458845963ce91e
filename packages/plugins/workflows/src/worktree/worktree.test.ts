import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, defineRun, type Host, type Runs } from '@nexus/plugin-sdk';
import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FixtureRepository, fixtureRepository } from '../../test/fixture-repository.ts';
import { commitWork, keepWork } from './commits.ts';
import { findRepository } from './find-repository.ts';
import { KEPT_MARK } from './kept-mark.ts';
import { removeLeftovers } from './leftovers.ts';
import { type Place, placeOf } from './place.ts';
import { leaveWorktree, nameDone, openWorktree } from './worktree.ts';

/** A run that ends at once, and one that waits until it is ended. */
const ends = defineRun({ name: 'test.ends', version: 1, run: async () => 'done' });
const waits = defineRun({
  name: 'test.waits',
  version: 1,
  run: async (_: object, run) => run.ask('go on', { message: 'Go on?' }),
});
const plugin = definePlugin({
  name: 'test',
  options: z.object({}),
  tools: [],
  runs: [ends, waits],
  start: async () => ({}),
  stop: async () => {},
});

const signal = new AbortController().signal;
let started: PluginUnderTest;
let host: Host;
let runs: Runs;
let dataDir: string;
let repository: FixtureRepository;

beforeEach(async () => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-trees-')));
  repository = fixtureRepository();
  started = await startPlugin(plugin, { dataDir });
  host = started.host;
  runs = host.runs;
});

afterEach(async () => {
  await started.stop();
  repository[Symbol.dispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

async function place(id: string, { folder = '.', root = repository.path } = {}): Promise<Place> {
  const scope = { projectRoot: repository.path, roots: [{ path: root, name: 'project' }], privatePaths: [] };
  const found = await findRepository(folder, scope, signal);
  return placeOf({ id, title: 'Some work', dataDir, repository: found });
}

const begin = async (kind: typeof ends | typeof waits) => (await runs.start(kind, {})).id;
const holder = (runId: string) => ({ runId, runs, signal });
const folder = () => readdirSync(join(dataDir, 'workflows', 'worktrees')).sort();

describe('a worktree', () => {
  it('gets the name of its work as often as asked, and beside others that get theirs', async () => {
    const places = [await place('11111111'), await place('22222222')];
    for (const each of places) {
      await openWorktree(each, holder('run_1'));
      writeFileSync(join(each.path, 'new.txt'), each.branch);
      await commitWork(each, { title: 'Work', runId: 'run_1', signal });
      await leaveWorktree(each, { runId: 'run_1', signal });
    }
    // As where git is just renaming a branch: it does so by way of this one path.
    mkdirSync(join(repository.path, '.git', 'logs', 'refs', '.tmp-renamed-log'), { recursive: true });
    for (const each of [...places, ...places]) await nameDone(each, signal);
    const branches = repository.git('branch', '--format=%(refname:short)', '--list', 'nexus/*');
    expect(branches.trim().split('\n')).toEqual(places.map(({ doneBranch }) => doneBranch));
  });

  it('of an ended run is taken away by the next, one of a run that goes on is not', async () => {
    const ended = await begin(ends);
    await runs.wait(ended, { signal });
    await openWorktree(await place('11111111'), holder(ended));
    await openWorktree(await place('22222222'), holder('run_of_long_ago'));
    await openWorktree(await place('33333333'), holder(await begin(waits)));
    const trees = join(dataDir, 'workflows', 'worktrees');
    writeFileSync(join(trees, '33333333.new-1'), 'a draft of the run that goes on');
    writeFileSync(join(trees, '44444444.new-2'), 'a draft of nobody');
    mkdirSync(join(trees, '55555555'));
    const hourAgo = Date.now() / 1_000 - 3_600;
    for (const name of ['44444444.new-2', '55555555']) utimesSync(join(trees, name), hourAgo, hourAgo);
    mkdirSync(join(trees, '66666666')); // another process may just be making it
    await removeLeftovers(host, signal);
    expect(folder()).toEqual(['33333333', '33333333.held-by.json', '33333333.new-1', '66666666']);
    expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(2);
    expect(repository.git('branch', '--list', 'nexus/*').trim().split('\n')).toHaveLength(1);
  });

  it('stays where a person still has to save work from it, though its run is known no more', async () => {
    await openWorktree(await place('11111111'), holder('run_of_long_ago'));
    const trees = join(dataDir, 'workflows', 'worktrees');
    writeFileSync(join(trees, `11111111${KEPT_MARK}`), '');
    await removeLeftovers(host, signal);
    expect(folder()).toEqual(['11111111', '11111111.held-by.json', '11111111.kept']);
  });

  it('is taken for nobody’s own by a file that names what is another’s', async () => {
    const trees = join(dataDir, 'workflows', 'worktrees');
    const theirs = join(dataDir, 'theirs');
    mkdirSync(theirs);
    mkdirSync(join(trees, 'mine'), { recursive: true });
    repository.git('branch', 'keep');
    repository.git('branch', 'nexus/unfinished/keep-12345678');
    const base = repository.git('rev-parse', 'HEAD').trim();
    const lie = (id: string, path: string, branch: string) => {
      const named = {
        repository: repository.path,
        folder: '',
        path,
        top: path,
        branch,
        doneBranch: 'nexus/x',
        base,
      };
      writeFileSync(join(trees, `${id}.held-by.json`), JSON.stringify({ runId: 'run_x', place: named }));
    };
    lie('aaaaaaaa', theirs, 'keep');
    lie('bbbbbbbb', join(trees, 'bbbbbbbb'), 'keep');
    lie('cccccccc', join(trees, 'cccccccc'), 'nexus/unfinished/keep-12345678');
    repository.git('worktree', 'add', '-q', '-b', 'checked-out', join(trees, 'dddddddd'));
    lie('dddddddd', join(trees, 'dddddddd'), 'checked-out');
    writeFileSync(join(trees, 'readme.txt'), 'mine');
    const hourAgo = Date.now() / 1_000 - 3_600;
    for (const name of ['mine', 'readme.txt']) utimesSync(join(trees, name), hourAgo, hourAgo);
    await removeLeftovers(host, signal);
    expect(existsSync(theirs)).toBe(true);
    expect(folder()).toEqual(expect.arrayContaining(['mine', 'readme.txt']));
    const branches = repository.git('branch', '--format=%(refname:short)').trim().split('\n');
    expect(branches).toEqual(
      expect.arrayContaining(['checked-out', 'keep', 'nexus/unfinished/keep-12345678']),
    );
  });

  it('is one run’s at a time', async () => {
    const mine = await place('11111111');
    const first = await begin(waits);
    await openWorktree(mine, holder(first));
    const second = await begin(waits);
    await expect(openWorktree(mine, holder(second))).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
      detail: { runId: first },
    });
    await runs.cancel(first);
    await openWorktree(mine, holder(second));
    // The first one's leaving comes late, and is no longer its affair.
    await leaveWorktree(mine, { runId: first, signal });
    expect(existsSync(join(mine.path, 'sum.js'))).toBe(true);
    await leaveWorktree(mine, { runId: second, signal });
    expect(folder()).toEqual([]);
  });

  it('is used again after a git that was killed in it', async () => {
    const mine = await place('11111111');
    const run = holder(await begin(waits));
    await openWorktree(mine, run);
    writeFileSync(join(mine.path, 'a.md'), 'a');
    const own = repository.git('-C', mine.path, 'rev-parse', '--absolute-git-dir').trim();
    const branchLock = join(repository.path, '.git', 'refs', 'heads', `${mine.branch}.lock`);
    for (const lock of [join(own, 'index.lock'), branchLock]) writeFileSync(lock, '');
    await openWorktree(mine, run);
    await keepWork(mine, { title: 'A', runId: run.runId, signal });
    expect(repository.git('show', `${mine.branch}:a.md`)).toBe('a');
  });

  it('that was lost is made again as its branch has it', async () => {
    const mine = await place('11111111');
    const run = holder(await begin(waits));
    expect(await openWorktree(mine, run)).toBe(true);
    expect(await openWorktree(mine, run)).toBe(false);
    writeFileSync(join(mine.path, 'a.md'), 'a');
    await keepWork(mine, { title: 'A', runId: run.runId, signal });
    rmSync(mine.path, { recursive: true });
    expect(await openWorktree(mine, run)).toBe(true);
    expect(existsSync(join(mine.path, 'a.md'))).toBe(true);
  });
});

describe('work that is kept', () => {
  it('is one commit for each piece, however often it was kept on the way', async () => {
    const mine = await place('11111111');
    const run = holder(await begin(waits));
    await openWorktree(mine, run);
    const work = { title: 'First', runId: run.runId, signal };
    const subjects = () => repository.git('log', '--format=%s', `main..${mine.branch}`).trim();
    for (const text of ['1', '2']) {
      writeFileSync(join(mine.path, 'a.md'), text);
      await keepWork(mine, work);
      expect(subjects()).toBe('Unfinished: First');
    }
    const commit = await commitWork(mine, work);
    expect(subjects()).toBe('First');
    // Made again, since nobody knows what became of it, it is the same.
    expect(await commitWork(mine, work)).toBe(commit);
    expect(await commitWork(mine, { ...work, title: 'Second' })).toBeUndefined();
    writeFileSync(join(mine.path, 'b.md'), 'b');
    await keepWork(mine, { ...work, title: 'Third' });
    rmSync(join(mine.path, 'b.md'));
    expect(await commitWork(mine, { ...work, title: 'Third' })).toBeUndefined();
    expect(subjects()).toBe('First');
  });
});

describe('a repository', () => {
  it('that reaches beyond the roots is seen as far as they go', async () => {
    repository.write('part/a.md', 'a');
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--message=Part');
    const part = join(repository.path, 'part');
    const narrow = await place('11111111', { root: part });
    expect([narrow.top, narrow.folder]).toEqual([join(narrow.path, 'part'), 'part']);
    const whole = await place('22222222', { folder: 'part' });
    expect([whole.top, whole.folder]).toEqual([whole.path, 'part']);
  });

  it('is none where there is no commit, or no git', async () => {
    const bare = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-bare-')));
    const scope = { projectRoot: bare, roots: [{ path: bare, name: 'project' }], privatePaths: [] };
    await expect(findRepository('.', scope, signal)).rejects.toThrow(/is in no git repository/);
    repository.git('init', '--quiet', bare);
    await expect(findRepository('.', scope, signal)).rejects.toThrow(/has no commit yet/);
    await expect(findRepository('.', { ...scope, privatePaths: [bare] }, signal)).rejects.toThrow(
      /belongs to Nexus itself/,
    );
    rmSync(bare, { recursive: true });
  });
});
