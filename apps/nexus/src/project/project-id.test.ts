import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claim } from './claim.ts';
import { identifyProject, type ProjectPlace } from './project-id.ts';

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

const identify = (projectRoot: string, settings: Partial<ProjectPlace> = {}) =>
  identifyProject({
    projectRoot,
    dataDir: join(scratch, 'data'),
    isTrusted: () => true,
    onMade() {},
    ...settings,
  });

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

  it.each(['main', 'ma\nin'])('is the same in a worktree of %j, whose .git is a file', (name) => {
    const root = clone(name, { origin });
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

describe('a repository that nobody has vouched for', () => {
  const origin = 'git@github.com:acme/app.git';
  /** As a shared database has it: only what the user said counts. */
  const among = (...said: Claim[]) => ({
    isTrusted: ({ id, place }: Claim) => said.some((each) => each.id === id && each.place === place),
  });
  const said = (root: string, id = 'github.com/acme/app', from: Claim['from'] = 'remote'): Claim => ({
    id,
    from,
    place: join(root, '.git'),
  });

  it('is a project of its own, and says what it would be', () => {
    const root = clone('app', { origin });
    const alone = identify(root, among());
    expect(alone).toEqual({
      id: expect.stringMatching(/^made-/),
      from: 'made',
      waits: 'github.com/acme/app',
    });
    expect(identify(root, among())).toEqual(alone);
    expect(identify(root, among(said(root)))).toEqual({
      id: 'github.com/acme/app',
      from: 'remote',
      formerId: alone.id,
    });
  });

  it('takes over no tables by an id that it brought along', () => {
    const root = clone('thief', { origin: 'git@github.com:evil/x.git' });
    const file = join(root, '.git', 'nexus-project-id');
    writeFileSync(file, 'github.com/acme/app\n');
    expect(identify(root)).toEqual({ id: 'github.com/evil/x', from: 'remote' });
    const stolen = 'made-00000000-0000-4000-8000-000000000000';
    writeFileSync(file, `${stolen}\n`);
    expect(identify(root, among(said(root, 'github.com/evil/x')))).not.toHaveProperty('formerId');
    clone('thief');
    expect(identify(root, among())).toMatchObject({ waits: stolen });
    expect(identify(root, among(said(root, stolen, 'made')))).toEqual({ id: stolen, from: 'made' });
  });

  it('keeps the id that was made here while its first remote waits', () => {
    const root = clone('young');
    const made: Claim[] = [];
    const { id } = identify(root, { ...among(), onMade: (claim) => made.push(claim) });
    expect(made).toEqual([said(root, id, 'made')]);
    clone('young', { origin });
    expect(identify(root, among(...made))).toEqual({ id, from: 'made', waits: 'github.com/acme/app' });
    expect(identify(root, among(...made, said(root)))).toMatchObject({ formerId: id });
  });

  it('borrows no trust from a repository that it points to, unless that says it is its worktree', () => {
    const main = clone('main', { origin });
    const trusted = among(said(main));
    const forged = join(scratch, 'forged');
    const entry = join(forged, '.git');
    mkdirSync(forged);
    writeFileSync(entry, `gitdir: ${join(main, '.git')}\n`);
    expect(identify(forged, trusted).waits).toBe('github.com/acme/app');
    rmSync(entry);
    symlinkSync(join(main, '.git'), entry);
    expect(identify(forged, trusted).waits).toBe('github.com/acme/app');
    rmSync(entry);
    // A folder that says of itself that it is one of the repository's worktrees.
    mkdirSync(join(forged, 'admin'));
    writeFileSync(entry, `gitdir: ${join(forged, 'admin')}\n`);
    writeFileSync(join(forged, 'admin', 'gitdir'), `${entry}\n`);
    writeFileSync(join(forged, 'admin', 'commondir'), `${join(main, '.git')}\n`);
    expect(identify(forged, trusted).waits).toBe('github.com/acme/app');
    // Another's worktree.
    const admin = join(main, '.git', 'worktrees', 'side');
    mkdirSync(admin, { recursive: true });
    writeFileSync(join(admin, 'commondir'), '../..\n');
    writeFileSync(join(admin, 'gitdir'), `${join(scratch, 'side', '.git')}\n`);
    writeFileSync(entry, `gitdir: ${admin}\n`);
    expect(identify(forged, trusted).waits).toBe('github.com/acme/app');
    writeFileSync(join(admin, 'gitdir'), `${entry}\n`);
    expect(identify(forged, trusted)).toMatchObject({ id: 'github.com/acme/app', from: 'remote' });
  });
});
