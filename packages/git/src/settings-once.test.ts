import { execFileSync } from 'node:child_process';
import {
  chmodSync,
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
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { git, type WorkingTree } from './git.ts';

const signal = new AbortController().signal;
let folder: string;
/** With settings that no other test has. */
let repository: string;

const userGit = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=User', '-c', 'user.email=user@localhost', ...args], {
    ...{ cwd, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' } },
  });

function made(path: string, ...how: string[]): string {
  userGit(folder, 'init', '--quiet', ...how, path);
  userGit(path, 'config', 'some.name', path);
  return path;
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-git-')));
  repository = made(join(folder, 'repository'));
  userGit(repository, 'commit', '--quiet', '--allow-empty', '--message=Begin');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('the settings of a repository', () => {
  /** What git is started for. */
  function counted(): () => string[] {
    const [bin, log] = [join(folder, 'bin'), join(folder, 'log')];
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$1" >> '${log}'\nexec '${real}' "$@"\n`);
    chmodSync(join(bin, 'git'), 0o755);
    vi.stubEnv('PATH', [bin, process.env.PATH].join(delimiter));
    return () => {
      const lines = readFileSync(log, 'utf8').trim().split('\n');
      writeFileSync(log, '');
      return lines;
    };
  }

  it('are read by git once for as long as they stay the same and run no code, and then at each start', async () => {
    const started = counted();
    const twice = async () => {
      for (let at = 0; at < 2; at += 1) await git({ treeTop: repository }, ['status'], { signal });
    };
    await twice();
    expect(started()).toEqual(['config', 'status', 'status']);
    userGit(repository, 'config', 'other.name', 'x');
    started();
    await twice();
    expect(started()).toEqual(['config', 'status', 'status']);
    userGit(repository, 'config', 'diff.external', 'evil');
    started();
    await twice();
    expect(started()).toEqual(['config', 'config', 'status', 'config', 'config', 'status']);
  });

  it('that git does not come to read hinder nothing, whatever they are', async () => {
    writeFileSync(join(repository, '.git/config.worktree'), '[diff\n');
    expect(await git({ treeTop: repository }, ['status', '--porcelain'], { signal })).toBe('');
  });

  /** @returns where `links/below/../<name>` leads for the system; as text it leads to what is moved there */
  function aroundLink(name: string, asText: string): string {
    mkdirSync(join(folder, 'deep', 'below'), { recursive: true });
    mkdirSync(join(repository, 'links'));
    symlinkSync(join(folder, 'deep', 'below'), join(repository, 'links', 'below'));
    renameSync(asText, join(repository, 'links', name));
    return join(folder, 'deep', name);
  }

  /** By what comes after a call that found nothing, `diff.external` is in force where it is left standing. */
  const plants: Readonly<Record<string, () => WorkingTree | undefined>> = {
    'in its config': () => void userGit(repository, 'config', 'diff.external', 'evil'),
    'in what it includes': () => {
      userGit(folder, 'config', '--file', join(folder, 'included'), 'diff.external', 'evil');
      userGit(repository, 'config', 'INCLUDE.path', join(folder, 'included'));
      return undefined;
    },
    'in the file of one worktree': () => {
      userGit(repository, 'config', 'extensions.worktreeConfig', 'true');
      userGit(repository, 'config', '--worktree', 'diff.external', 'evil');
      return undefined;
    },
    'of all worktrees': () => {
      userGit(repository, 'worktree', 'add', '--quiet', join(folder, 'side'));
      userGit(repository, 'config', 'diff.external', 'evil');
      return { treeTop: join(folder, 'side') };
    },
    'of a folder behind a link': () => {
      const harmless = join(made(join(folder, 'harmless')), '.git');
      userGit(repository, 'config', 'diff.external', 'evil');
      renameSync(join(repository, '.git'), aroundLink('own', harmless));
      writeFileSync(join(repository, '.git'), 'gitdir: links/below/../own\n');
      return undefined;
    },
    'of a file behind a link': () => {
      const harmless = join(made(join(folder, 'harmless')), '.git', 'config');
      userGit(repository, 'config', 'diff.external', 'evil');
      const config = join(repository, '.git', 'config');
      renameSync(config, aroundLink('own', harmless));
      symlinkSync('../links/below/../own', config);
      return undefined;
    },
    'of a folder with a space after its name': () => {
      userGit(repository, 'config', 'diff.external', 'evil');
      renameSync(join(repository, '.git'), join(folder, 'own '));
      renameSync(join(made(join(folder, 'harmless')), '.git'), join(folder, 'own'));
      writeFileSync(join(repository, '.git'), `gitdir: ${join(folder, 'own ')}\n`);
      return undefined;
    },
    'of a repository below': () => {
      const below = made(join(repository, 'below'));
      userGit(below, 'config', 'diff.external', 'evil');
      return { treeTop: repository, cwd: below };
    },
    'of a repository without a working tree': () => {
      const bare = made(join(folder, 'bare'), '--bare');
      userGit(bare, 'config', 'diff.external', 'evil');
      return { treeTop: bare, gitDir: bare };
    },
  };

  it.each(Object.entries(plants))('do not run what comes up %s', async (_, plant) => {
    const inForce = async (tree: WorkingTree) =>
      git(tree, ['config', 'diff.external'], { signal, allowExits: [1] });
    expect(await inForce({ treeTop: repository })).toBe('');
    const tree = plant() ?? { treeTop: repository };
    expect(userGit(tree.cwd ?? tree.treeTop, 'config', 'diff.external')).toBe('evil\n');
    expect(await inForce(tree)).toBe('\n');
  });
});
