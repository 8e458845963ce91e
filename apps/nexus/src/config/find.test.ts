import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explicitConfig, findConfig } from './find.ts';
import { userConfigDir } from './places.ts';

const OTHER_USER = 54_321;

describe('findConfig', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-find-')));
    mkdirSync(join(root, 'repo/.git'), { recursive: true });
    mkdirSync(join(root, 'repo/a/b'), { recursive: true });
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
    vi.unstubAllEnvs();
  });

  /** What the user keeps in their own config directory. */
  const ownFile = () => {
    vi.stubEnv('XDG_CONFIG_HOME', join(root, 'home'));
    mkdirSync(userConfigDir(), { recursive: true });
    const file = join(userConfigDir(), 'nexus.config.yaml');
    writeFileSync(file, '{}');
    return file;
  };

  it('takes the repository as the project where there is no file', () => {
    const found = findConfig({ explicit: undefined, cwd: join(root, 'repo/a/b') });
    expect(found.projectRoot).toBe(join(root, 'repo'));
  });

  it('finds the nearest file upward, and its folder is the project', () => {
    writeFileSync(join(root, 'repo/nexus.config.json'), '{}');
    writeFileSync(join(root, 'repo/a/nexus.config.yaml'), '{}');
    expect(findConfig({ explicit: undefined, cwd: join(root, 'repo/a/b') })).toEqual({
      configFile: join(root, 'repo/a/nexus.config.yaml'),
      projectRoot: join(root, 'repo/a'),
      isOwnChoice: false,
      refused: [],
      hidden: [],
    });
  });

  it('finds what another server of toolboxes reads, after its own', () => {
    const theirs = join(root, 'repo/workbench-config.json');
    writeFileSync(theirs, '{}');
    const found = () => findConfig({ explicit: undefined, cwd: join(root, 'repo/a') });
    expect(found()).toMatchObject({ configFile: theirs, isOwnChoice: false, hidden: [] });
    writeFileSync(join(root, 'repo/nexus.config.yml'), '');
    expect(found()).toMatchObject({
      configFile: join(root, 'repo/nexus.config.yml'),
      hidden: [expect.stringContaining(`${theirs} is not read`)],
    });
  });

  it('names the files that a config hides', () => {
    for (const name of ['nexus.config.json', 'nexus.config.yaml'])
      writeFileSync(join(root, 'repo', name), '{}');
    expect(findConfig({ explicit: undefined, cwd: join(root, 'repo') })).toMatchObject({
      configFile: join(root, 'repo/nexus.config.json'),
      hidden: [expect.stringContaining(`${join(root, 'repo/nexus.config.yaml')} is not read`)],
    });
  });

  it('resolves symlinks, so that one project has one root', () => {
    symlinkSync(join(root, 'repo'), join(root, 'link'));
    expect(findConfig({ explicit: undefined, cwd: join(root, 'link') }).projectRoot).toBe(join(root, 'repo'));
  });

  it('takes an explicit file relative to the working directory', () => {
    writeFileSync(join(root, 'team.yaml'), '{}');
    const found = findConfig({ explicit: '../team.yaml', cwd: join(root, 'repo') });
    expect(found).toMatchObject({ configFile: join(root, 'team.yaml'), projectRoot: join(root, 'repo') });
    expect(found.isOwnChoice).toBe(true);
  });

  it('takes the folder of an explicit file as the project where the host started it outside any', () => {
    writeFileSync(join(root, 'repo/a/nexus.config.json'), '{}');
    const explicit = join(root, 'repo/a/nexus.config.json');
    expect(findConfig({ explicit, cwd: root })).toMatchObject({
      configFile: explicit,
      projectRoot: join(root, 'repo/a'),
    });
  });

  it('says where an explicit file was expected and how to write one', () => {
    expect(() => findConfig({ explicit: 'none.json', cwd: root })).toThrow(
      `no config file at ${join(root, 'none.json')}`,
    );
    expect(() => findConfig({ explicit: 'repo', cwd: root })).toThrow(
      `no config file at ${join(root, 'repo')}`,
    );
  });

  it('takes the project of an explicit link to be where the file itself lies', () => {
    writeFileSync(join(root, 'repo/a/team.json'), '{}');
    symlinkSync(join(root, 'repo/a/team.json'), join(root, 'link.json'));
    expect(findConfig({ explicit: 'link.json', cwd: root })).toEqual({
      configFile: join(root, 'link.json'),
      projectRoot: join(root, 'repo/a'),
      isOwnChoice: true,
      refused: [],
      hidden: [],
    });
  });

  it.runIf(process.platform === 'linux')('takes the user’s own file where the project has none', () => {
    const configFile = ownFile();
    const own = { configFile, isOwnChoice: true, refused: [], hidden: [] };
    const inRepository = findConfig({ explicit: undefined, cwd: join(root, 'repo/a') });
    expect(inRepository).toEqual({ ...own, projectRoot: join(root, 'repo') });
    mkdirSync(join(root, 'plain'));
    const elsewhere = findConfig({ explicit: undefined, cwd: join(root, 'plain') });
    expect(elsewhere).toEqual({ ...own, projectRoot: join(root, 'plain') });
  });

  it.runIf(process.platform === 'linux')('names the user’s own file beside that of a project', () => {
    const file = ownFile();
    writeFileSync(join(root, 'repo/nexus.config.json'), '{}');
    const found = () => findConfig({ explicit: undefined, cwd: join(root, 'repo') });
    expect(found()).toMatchObject({ configFile: join(root, 'repo/nexus.config.json'), ownFile: file });
    chmodSync(file, 0o666);
    expect(found()).toMatchObject({ ownFile: undefined, refused: [expect.stringContaining(file)] });
  });

  describe('does not read', () => {
    const find = (...parts: string[]) => findConfig({ explicit: undefined, cwd: join(root, ...parts) });

    it('what lies above the repository’s top', () => {
      writeFileSync(join(root, 'nexus.config.json'), '{}');
      expect(find('repo/a/b')).toEqual({
        configFile: undefined,
        projectRoot: join(root, 'repo'),
        isOwnChoice: true,
        refused: [],
        hidden: [],
      });
    });

    it('anything but the working directory where there is no repository', () => {
      mkdirSync(join(root, 'work/deep'), { recursive: true });
      writeFileSync(join(root, 'work/nexus.config.json'), '{}');
      expect(find('work/deep').configFile).toBeUndefined();
      expect(find('work/deep').hidden).toEqual([
        expect.stringMatching(/work.nexus\.config\.json is not read, since no repository/),
      ]);
      expect(find('work').configFile).toBe(join(root, 'work/nexus.config.json'));
    });

    it.runIf(process.getuid)('a file that others may write, or replace in its folder, and says so', () => {
      const file = join(root, 'repo/nexus.config.json');
      writeFileSync(file, '{}');
      chmodSync(file, 0o666);
      expect(find('repo').configFile).toBeUndefined();
      expect(find('repo').refused).toEqual([
        expect.stringMatching(
          /nexus\.config\.json is not read, since every user may write .*nexus\.config\.json\. .*--config/,
        ),
      ]);
      chmodSync(file, 0o644);
      chmodSync(join(root, 'repo'), 0o777);
      expect(find('repo').refused[0]).toMatch(/every user may write .*repo\./);
      chmodSync(join(root, 'repo'), 0o1777);
      expect(find('repo').configFile).toBe(file);
      chmodSync(file, 0o666);
      expect(
        findConfig({ explicit: undefined, cwd: join(root, 'repo'), isAnyoneTrusted: true }),
      ).toMatchObject({ configFile: file, refused: [] });
    });

    it.runIf(process.getuid)(
      'what lies above where there is no repository, and names only the nearest of its user',
      () => {
        mkdirSync(join(root, 'work/deep/er'), { recursive: true });
        for (const folder of ['.', 'work', 'work/deep']) {
          writeFileSync(join(root, folder, 'nexus.config.json'), '{}');
        }
        chmodSync(join(root, 'work/deep/nexus.config.json'), 0o666);
        const { configFile, hidden } = find('work/deep/er');
        expect(configFile).toBeUndefined();
        expect(hidden).toEqual([
          expect.stringContaining(`${join(root, 'work/nexus.config.json')} is not read`),
        ]);
      },
    );

    it.runIf(process.getuid)('the file behind a link into a folder that others may write', () => {
      mkdirSync(join(root, 'open'));
      writeFileSync(join(root, 'open/team.json'), '{}');
      chmodSync(join(root, 'open'), 0o777);
      symlinkSync(join(root, 'open/team.json'), join(root, 'repo/nexus.config.json'));
      expect(find('repo').refused[0]).toMatch(/every user may write .*open\./);
    });

    it.runIf(process.getuid?.() === 0)('a file, a folder or a repository of another user', () => {
      const file = join(root, 'repo/nexus.config.json');
      writeFileSync(file, '{}');
      chownSync(file, OTHER_USER, OTHER_USER);
      expect(find('repo').refused[0]).toMatch(/belongs to another user \(54321\)/);
      chownSync(file, 0, 0);
      writeFileSync(join(root, 'nexus.config.json'), '{}');
      mkdirSync(join(root, '.git'));
      mkdirSync(join(root, 'plain'));
      chownSync(join(root, '.git'), OTHER_USER, OTHER_USER);
      expect(find('plain')).toMatchObject({ configFile: undefined, projectRoot: join(root, 'plain') });
      const cwd = join(root, 'plain');
      expect(findConfig({ explicit: undefined, cwd, isAnyoneTrusted: true })).toMatchObject({
        configFile: join(root, 'nexus.config.json'),
        projectRoot: root,
      });
      chownSync(join(root, '.git'), 0, 0);
      expect(find('plain').configFile).toBe(join(root, 'nexus.config.json'));
      chownSync(root, OTHER_USER, OTHER_USER);
      expect(find('plain').projectRoot).toBe(join(root, 'plain'));
    });

    it.runIf(process.getuid?.() === 0)('a file that a group of several users may write', () => {
      const file = join(root, 'repo/nexus.config.json');
      writeFileSync(file, '{}');
      chmodSync(file, 0o664);
      expect(find('repo').configFile).toBe(file);
      chownSync(file, 0, OTHER_USER);
      expect(find('repo').refused[0]).toMatch(/the users of group 54321 may write/);
    });
  });
});

it.each([
  ['of its option', 'a', { NEXUS_CONFIG: 'b', WORKBENCH_CONFIG: 'c' }, 'a'],
  ['of its own variable', '', { NEXUS_CONFIG: 'b', WORKBENCH_CONFIG: 'c' }, 'b'],
  ['of the variable of others', undefined, { NEXUS_CONFIG: '', WORKBENCH_CONFIG: 'c' }, 'c'],
  ['none', undefined, { WORKBENCH_CONFIG: '' }, undefined],
])('the file that a user names is that %s', (_, option, env, named) => {
  expect(explicitConfig(option, env)).toBe(named);
});
