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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findConfig } from './find.ts';

const OTHER_USER = 54_321;

describe('findConfig', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-find-')));
    mkdirSync(join(root, 'repo/.git'), { recursive: true });
    mkdirSync(join(root, 'repo/a/b'), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

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
      expect(
        findConfig({ explicit: undefined, cwd: join(root, 'repo'), isAnyoneTrusted: true }).refused,
      ).toEqual([]);
    });

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
      chownSync(join(root, '.git'), 0, 0);
      expect(find('plain').configFile).toBe(join(root, 'nexus.config.json'));
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
