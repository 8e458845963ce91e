import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { git } from '@nexus/git';
import type { Runs } from '@nexus/plugin-sdk';
import { programs } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FixtureRepository, fixtureRepository } from '../../test/fixture-repository.ts';
import { changesOf } from './changes.ts';
import { commitWork, keepWork, tidy } from './commits.ts';
import { findRepository } from './find-repository.ts';
import { placeOf } from './place.ts';
import { listFiles } from './tools/list-files.ts';
import { searchFiles } from './tools/search-files.ts';
import { leaveWorktree, openWorktree } from './worktree.ts';

const signal = new AbortController().signal;
const runs = { get: async () => ({ status: 'running' }) } as unknown as Runs;
const work = { title: 'Some work', runId: 'run_1', signal };

let scratch: string;
/** Where whatever is run leaves a file. */
let canaries: string;
let home: string;
let repository: FixtureRepository;

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-git-')));
  canaries = join(scratch, 'canaries');
  home = join(scratch, 'home');
  mkdirSync(canaries);
  mkdirSync(home);
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'));
  repository = fixtureRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
});

afterEach(() => {
  vi.unstubAllEnvs();
  repository[Symbol.dispose]();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

/** A command for a shell that tells that it was run, and passes on what it reads. */
const canary = (name: string) => `touch '${join(canaries, name)}'; cat`;
const ran = () => readdirSync(canaries).sort();

function script(name: string): string {
  const file = join(scratch, `${name}.sh`);
  writeFileSync(file, `#!/bin/sh\n${canary(name)} </dev/null\n`);
  chmodSync(file, 0o755);
  return file;
}

const scopeOf = (path: string) => ({
  projectRoot: path,
  roots: [{ path, name: 'project' }],
  privatePaths: [],
});
const find = (folder = '.', root = repository.path) => findRepository(folder, scopeOf(root), signal);

/** All that a pipeline does with git, with the files that a model wrote. */
async function wholePipeline(files: Readonly<Record<string, string>> = { 'a.txt': 'other\n' }) {
  const found = await find();
  const place = placeOf({ id: '11111111', title: 'Some work', dataDir: scratch, repository: found });
  const holder = { runId: 'run_1', runs };
  await openWorktree(place, { ...holder, signal });
  const tools = { place, holder, programs, title: 'x' };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place.path, file), text);
  await keepWork(place, work);
  const commit = await commitWork(place, work);
  await tidy(place, signal);
  const changes = await changesOf(place, { signal, maxDiffChars: 100_000 });
  const call = { signal } as never;
  const listed = await listFiles(tools).call({}, call);
  await searchFiles(tools).call({ text: 'other' }, call);
  const holds = readdirSync(place.path).sort();
  await leaveWorktree(place, { runId: 'run_1', signal });
  return { commit, changes, listed: JSON.stringify(listed), holds };
}

/** Of git's documentation, what it or a helper of its runs; and what git-lfs does, which users have as a filter. */
const CODE = [
  'alias.status',
  'alias.config',
  'browser.evil.cmd',
  'browser.evil.path',
  'core.alternateRefsCommand',
  'core.askPass',
  'core.editor',
  'core.fsmonitor',
  'core.gitProxy',
  'core.pager',
  'core.sshCommand',
  'core.virtualFilesystem',
  'credential.helper',
  'credential.https://example.com.helper',
  'diff.external',
  'diff.evil.command',
  'diff.evil.textconv',
  'difftool.evil.cmd',
  'difftool.evil.path',
  'filter.clean.clean',
  'filter.clean.smudge',
  'filter.process.process',
  'filter.Other.smudge',
  'gpg.program',
  'gpg.openpgp.program',
  'gpg.ssh.defaultKeyCommand',
  'guitool.evil.cmd',
  'hook.evil.command',
  'imap.tunnel',
  'init.templateDir',
  'instaweb.browser',
  'instaweb.httpd',
  'interactive.diffFilter',
  'lfs.customtransfer.evil.args',
  'lfs.customtransfer.evil.path',
  'lfs.extension.evil.clean',
  'lfs.extension.evil.smudge',
  'lfs.standalonetransferagent',
  'man.evil.cmd',
  'man.evil.path',
  'merge.evil.driver',
  'mergetool.evil.cmd',
  'pager.diff',
  'pager.status',
  'remote.origin.receivepack',
  'remote.origin.uploadpack',
  'remote.origin.vcs',
  'sendemail.sendmailCmd',
  'sendemail.smtpServer',
  'sendemail.toCmd',
  'sequence.editor',
  'tar.tar.gz.command',
  'trailer.evil.cmd',
  'trailer.evil.command',
  'uploadpack.packObjectsHook',
  'web.browser',
];

const ATTRIBUTES =
  'a.txt filter=clean diff=evil\nb.txt filter=process merge=evil\nc.txt filter=Other diff=evil\n';

/** In the settings that a repository has of its own, or in another file of settings. */
function plant(keys: readonly string[], ...where: string[]): void {
  repository.write('.git/info/attributes', ATTRIBUTES);
  for (const key of keys) {
    repository.git('config', ...where, key, canary(key.replace(/\W/g, '_')));
  }
}

describe.skipIf(process.platform === 'win32')('git, whatever settings a repository brings along,', () => {
  it('would run them by itself, which is what the others here are held against', () => {
    plant(['core.fsmonitor', 'filter.clean.clean', 'filter.process.process']);
    repository.write('a.txt', 'x\n');
    repository.write('b.txt', 'x\n');
    repository.git('diff');
    expect(ran()).toEqual(['core_fsmonitor', 'filter_clean_clean', 'filter_process_process']);
  });

  it.each([
    ['in .git/config', []],
    ['in a file that it includes', ['--file', 'included']],
    ['of one worktree alone', ['--worktree']],
  ])('runs nothing that it names %s', async (_, where) => {
    repository.git('config', 'extensions.worktreeConfig', 'true');
    repository.git('config', 'include.path', '../included');
    plant(CODE, ...where);
    repository.git('config', 'hook.evil.event', 'post-checkout');
    repository.git('config', 'commit.gpgSign', 'true');
    for (const hook of ['pre-commit', 'post-checkout', 'reference-transaction', 'post-index-change']) {
      cpSync(script(`hook_${hook}`), join(repository.path, '.git', 'hooks', hook));
    }
    writeFileSync(join(repository.path, 'a.txt'), 'changed\n');
    rmSync(canaries, { recursive: true });
    mkdirSync(canaries);
    const { commit, changes } = await wholePipeline();
    expect(ran()).toEqual([]);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(changes.files).toEqual([{ path: 'a.txt', added: 1, removed: 1 }]);
    expect(changes.diff).toContain('+other');
  });

  it('gives the user’s own of each, where they have one, or none', async () => {
    const lasts = async () => {
      const listed = await git({ treeTop: repository.path }, ['config', '--list', '-z'], { signal });
      return new Map(listed.split('\0').map((entry) => entry.split('\n') as [string, string]));
    };
    const lower = (key: string) => key.replace(/^[^.]*|[^.]*$/g, (part) => part.toLowerCase());
    for (const key of CODE) repository.git('config', key, 'evil');
    const alone = await lasts();
    for (const key of CODE) repository.git('config', '--file', join(home, '.gitconfig'), key, 'mine');
    const beside = await lasts();
    for (const key of CODE.filter((each) => each !== 'core.fsmonitor')) {
      expect([key, alone.get(lower(key)), beside.get(lower(key))]).toEqual([key, '', 'mine']);
    }
  });

  it('runs the filters that the user has, in the place of the repository’s', async () => {
    const own = (key: string, value: string) =>
      repository.git('config', '--file', join(home, '.gitconfig'), key, value);
    own('filter.clean.clean', 'tr a-z A-Z');
    plant(['filter.clean.clean', 'filter.clean.smudge', 'filter.clean.process']);
    repository.git('config', 'filter.clean.required', 'true');
    const { changes } = await wholePipeline();
    expect(ran()).toEqual([]);
    expect(changes.files.map(({ path }) => path)).toEqual(['a.txt']);
  });

  it('refuses those that only git can tell when they hold, and names them', async () => {
    writeFileSync(join(scratch, 'later'), `[filter "clean"]\nsmudge = ${canary('later')}\n`);
    repository.write('.git/info/attributes', ATTRIBUTES);
    repository.git('config', 'includeIf.onbranch:nexus/**.path', join(scratch, 'later'));
    await expect(wholePipeline()).rejects.toThrow(/"includeif\.onbranch:nexus\/\*\*\.path"/);
    expect(ran()).toEqual([]);
  });

  it('fetches nothing that a partial clone lacks', async () => {
    const blob = repository.git('rev-parse', 'HEAD:a.txt').trim();
    rmSync(join(repository.path, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    const upload = script('upload');
    for (const [key, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'evil'],
      ['remote.evil.promisor', 'true'],
      ['remote.evil.url', `ext::${upload}`],
      ['protocol.ext.allow', 'always'],
      ['protocol.allow', 'always'],
    ] as const) {
      repository.git('config', key, value);
    }
    const tree = { treeTop: repository.path };
    await expect(git(tree, ['cat-file', '-p', blob], { signal })).rejects.toThrow(/cat-file failed/);
    await expect(git(tree, ['ls-remote', 'evil'], { signal })).rejects.toThrow(/not allowed/);
    expect(ran()).toEqual([]);
    expect(() => repository.git('cat-file', '-p', blob)).toThrow();
    expect(ran()).toEqual(['upload']);
  });

  it('looks into no repository below', async () => {
    const below = join(repository.path, 'below');
    repository.git('init', '--quiet', below);
    writeFileSync(join(below, 'x.txt'), 'x');
    repository.git('-C', below, 'add', '--all');
    repository.git('-C', below, 'commit', '--quiet', '--message=x');
    repository.git('add', 'below');
    repository.git('commit', '--quiet', '--message=below');
    repository.git('-C', below, 'config', 'filter.below.clean', canary('below'));
    writeFileSync(join(below, '.git', 'info', 'attributes'), '* filter=below');
    writeFileSync(join(below, 'x.txt'), 'y');
    repository.git('config', 'submodule.recurse', 'true');
    repository.git('config', 'submodule.below.active', 'true');
    repository.git('config', 'submodule.below.ignore', 'none');
    repository.git('config', 'submodule.below.url', './below');
    repository.write('.gitmodules', '[submodule "below"]\npath = below\nurl = ./below\nignore = none\n');
    await wholePipeline();
    expect(ran()).toEqual([]);
    repository.git('status');
    expect(ran()).toEqual(['below']);
  });

  it('gets nothing of the server’s environment that has it run something, and no relative PATH', async () => {
    mkdirSync(join(repository.path, 'bin'));
    cpSync(script('relative'), join(repository.path, 'bin', 'git'));
    vi.stubEnv('PATH', ['bin', '', '.', process.env.PATH].join(delimiter));
    for (const name of ['GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'GIT_PROXY_COMMAND']) {
      vi.stubEnv(name, script(name));
    }
    vi.stubEnv('GIT_CONFIG_COUNT', '1');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'core.fsmonitor');
    vi.stubEnv('GIT_CONFIG_VALUE_0', script('counted'));
    vi.stubEnv('GIT_CONFIG_PARAMETERS', `'alias.status'='!${script('parameters')}'`);
    vi.stubEnv('GIT_DIR', join(scratch, 'elsewhere'));
    vi.stubEnv('GIT_EXEC_PATH', repository.path);
    await wholePipeline();
    expect(ran()).toEqual([]);
  });
});

describe('a working directory', () => {
  /** As a clone can hold it: no file of it is called `.git`. */
  function embedBare(): string {
    const bare = join(repository.path, 'docs', 'example');
    repository.git('init', '--quiet', '--bare', bare);
    const settings = [
      'core.bare=false',
      `core.worktree=${repository.path}`,
      `core.fsmonitor=${script('bare')}`,
    ];
    for (const setting of settings) {
      const [key = '', value = ''] = setting.split('=');
      repository.git('config', '--file', join(bare, 'config'), key, value);
    }
    return bare;
  }

  it.skipIf(process.platform === 'win32')('in a repository that nobody made one is refused', async () => {
    const bare = embedBare();
    for (const folder of [bare, join(bare, 'objects'), join(bare, 'refs', 'heads')]) {
      await expect(find(folder)).rejects.toThrow(/is in no git repository that can be worked on/);
    }
    expect(ran()).toEqual([]);
    // The folder around it is the project's.
    await expect(find('docs')).resolves.toMatchObject({ repository: repository.path, folder: 'docs' });
  });

  it('in a repository inside of the project is refused, whatever a client calls its root', async () => {
    const below = join(repository.path, 'below');
    repository.git('init', '--quiet', below);
    repository.git('-C', below, 'commit', '--quiet', '--allow-empty', '--message=x');
    await expect(find('below')).rejects.toThrow(/lies inside of the project and is not its own/);
    const narrowed = { ...scopeOf(below), projectRoot: repository.path };
    await expect(findRepository('.', narrowed, signal)).rejects.toThrow(/inside of the project/);
    writeFileSync(join(repository.path, 'sub.txt'), '');
    mkdirSync(join(repository.path, 'linked'));
    writeFileSync(join(repository.path, 'linked', '.git'), `gitdir: ${join(below, '.git')}\n`);
    await expect(find('linked')).rejects.toThrow(/inside of the project/);
    // A root beside the project is the user's own word.
    const beside = { ...scopeOf(below), projectRoot: scratch };
    await expect(findRepository('.', beside, signal)).resolves.toMatchObject({ repository: below });
  });

  it('of a repository that names another tree as its own is refused', async () => {
    repository.git('config', 'core.worktree', scratch);
    await expect(find()).rejects.toThrow(/is in no git repository that can be worked on/);
  });
});

describe('a path', () => {
  it('that reads as a revision or an option is a path', async () => {
    const names = ['HEAD', 'HEAD~1', '-x', '--output=evil', '--', 'main', ':(exclude)a.txt', '@{-1}'];
    repository.write('HEAD', 'user');
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--message=HEAD');
    const files = Object.fromEntries(names.map((name) => [name, `${name} is other\n`]));
    const { commit, changes, listed, holds } = await wholePipeline(files);
    expect(commit).toBeDefined();
    expect(changes.files.map(({ path }) => path).sort()).toEqual([...names].sort());
    expect(holds).toEqual(expect.arrayContaining(names));
    for (const name of names) expect(listed).toContain(name);
    expect(existsSync(join(repository.path, 'evil'))).toBe(false);
  });

  it('of a worktree whose .git is gone leads to no repository above it', async () => {
    const inside = join(repository.path, 'data');
    const place = placeOf({ id: '22222222', title: 'x', dataDir: inside, repository: await find() });
    await openWorktree(place, { runId: 'run_1', runs, signal });
    rmSync(join(place.path, '.git'));
    writeFileSync(join(repository.path, 'a.txt'), 'the user’s');
    await expect(tidy(place, signal)).rejects.toThrow(/not a git repository/);
    expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('the user’s');
  });
});

describe.runIf(process.platform !== 'win32')('a file of git’s own that is none', () => {
  it.each(['.git/config', '.git/HEAD', '.git/info/exclude', '.git/config.worktree', '.gitignore'])(
    'is named before git would wait at it: %s',
    async (name) => {
      const path = join(repository.path, name);
      rmSync(path, { force: true });
      mkdirSync(dirname(path), { recursive: true });
      execFileSync('mkfifo', [path]);
      const status = git({ treeTop: repository.path }, ['status', '--porcelain'], { signal });
      await expect(status).rejects.toMatchObject({ code: 'NEXUS_FILE_UNREADABLE' });
      await expect(status).rejects.toThrow(path);
    },
  );

  it('is named when it is larger than anybody’s', async () => {
    const path = join(repository.path, '.git/config');
    writeFileSync(path, '#'.repeat(2_000_000));
    const status = git({ treeTop: repository.path }, ['status'], { signal });
    await expect(status).rejects.toThrow(`${path} has 2000000 bytes`);
  });
});

it('a diff has as many lines around it as whoever reads it asks for, as far as there is room', async () => {
  const lines = Array.from({ length: 41 }, (_, at) => `line ${at + 1}`);
  repository.write('long.txt', lines.join('\n'));
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=Long');
  const found = await find();
  const place = placeOf({ id: '22222222', title: 'Some work', dataDir: scratch, repository: found });
  await openWorktree(place, { runId: 'run_1', runs, signal });
  writeFileSync(join(place.path, 'long.txt'), lines.with(20, 'other').join('\n'));
  await commitWork(place, work);
  const diffOf = async (more: object) =>
    (await changesOf(place, { signal, maxDiffChars: 800, ...more })).diff;
  expect(await diffOf({})).not.toContain('line 8\n');
  expect(await diffOf({ aroundLines: 15 })).toContain('line 8\n');
  expect(await diffOf({ aroundLines: 15, maxDiffChars: 200 })).not.toContain('line 8\n');
  await leaveWorktree(place, { runId: 'run_1', signal });
});
