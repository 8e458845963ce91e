import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identifyProject } from './project-id.ts';

let scratch: string;
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-project-')));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** A clone as `git` leaves it, with these remotes. */
function clone(name: string, remotes: Readonly<Record<string, string>> = {}): string {
  const root = join(scratch, name);
  const sections = Object.entries(remotes).map(
    ([remote, url]) =>
      `[remote "${remote}"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/${remote}/*\n`,
  );
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, '.git', 'config'), `[core]\n\tbare = false\n${sections.join('')}`);
  return root;
}

const identify = (projectRoot: string, settings: { fromEnvironment?: string; fromConfig?: string } = {}) =>
  identifyProject({ projectRoot, dataDir: join(scratch, 'data'), ...settings });

describe('a project with a remote', () => {
  const origin = 'git@github.com:acme/app.git';

  it('is called by it, in each clone', () => {
    const ids = [clone('a', { origin }), clone('b', { origin: 'https://me:pw@github.com/acme/app' })];
    expect(ids.map((root) => identify(root))).toEqual([
      { id: 'github.com/acme/app', from: 'remote' },
      { id: 'github.com/acme/app', from: 'remote' },
    ]);
  });

  it('is not its fork’s, whose origin is another', () => {
    const fork = clone('fork', { origin: 'git@github.com:me/app.git', upstream: origin });
    expect(identify(fork).id).toBe('github.com/me/app');
  });

  it('takes the only remote for origin, and of several others none', () => {
    expect(identify(clone('one', { work: origin })).id).toBe('github.com/acme/app');
    expect(identify(clone('two', { work: origin, home: 'git@host.example:a/b' })).from).toBe('made');
  });

  it('is another one in each folder of the repository that has a config of its own', () => {
    const root = clone('mono', { origin });
    mkdirSync(join(root, 'packages', 'api'), { recursive: true });
    expect(identify(join(root, 'packages', 'api')).id).toBe('github.com/acme/app#packages/api');
  });

  it('is the same in a worktree, whose .git is a file', () => {
    const root = clone('main', { origin });
    const worktree = join(root, '.git', 'worktrees', 'side');
    mkdirSync(worktree, { recursive: true });
    writeFileSync(join(worktree, 'commondir'), '../..\n');
    mkdirSync(join(scratch, 'side'));
    writeFileSync(join(scratch, 'side', '.git'), `gitdir: ${worktree}\n`);
    expect(identify(join(scratch, 'side'))).toEqual({ id: 'github.com/acme/app', from: 'remote' });
  });

  it('goes by what was set instead, the environment first', () => {
    const root = clone('set', { origin });
    expect(identify(root, { fromConfig: 'ours' })).toEqual({ id: 'ours', from: 'config' });
    expect(identify(root, { fromConfig: 'ours', fromEnvironment: 'mine' }).id).toBe('mine');
  });
});

describe('a project without a remote', () => {
  it('keeps the id that was made once, also when its folder moves', () => {
    const root = clone('here');
    const made = identify(root);
    expect(made).toEqual({ id: expect.stringMatching(/^made-[0-9a-f-]{36}$/), from: 'made' });
    expect(identify(root)).toEqual(made);
    renameSync(root, join(scratch, 'there'));
    expect(identify(join(scratch, 'there'))).toEqual(made);
    expect(readFileSync(join(scratch, 'there', '.git', 'nexus-project-id'), 'utf8')).toBe(`${made.id}\n`);
  });

  it('is called by its remote once it has one, and says what it was called before', () => {
    const root = clone('young');
    const made = identify(root);
    clone('young', { origin: 'git@github.com:acme/app.git' });
    expect(identify(root)).toEqual({ id: 'github.com/acme/app', from: 'remote', formerId: made.id });
  });

  it('is no other’s, also where two share a data directory', () => {
    const folders = ['a', 'b'].map((name) => join(scratch, name));
    for (const folder of folders) mkdirSync(folder);
    const [a, b] = folders.map((folder) => identify(folder).id);
    expect(a).not.toBe(b);
    expect(identify(folders[0] ?? '').id).toBe(a);
  });
});
