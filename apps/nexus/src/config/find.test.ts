import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findConfig } from './find.ts';

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
    });
  });

  it('resolves symlinks, so that one project has one root', () => {
    symlinkSync(join(root, 'repo'), join(root, 'link'));
    expect(findConfig({ explicit: undefined, cwd: join(root, 'link') }).projectRoot).toBe(join(root, 'repo'));
  });

  it('takes an explicit file relative to the working directory', () => {
    writeFileSync(join(root, 'team.yaml'), '{}');
    const found = findConfig({ explicit: '../team.yaml', cwd: join(root, 'repo') });
    expect(found).toEqual({ configFile: join(root, 'team.yaml'), projectRoot: join(root, 'repo') });
  });

  it('takes the folder of an explicit file as the project where the host started it outside any', () => {
    writeFileSync(join(root, 'repo/a/nexus.config.json'), '{}');
    const explicit = join(root, 'repo/a/nexus.config.json');
    expect(findConfig({ explicit, cwd: root })).toEqual({
      configFile: explicit,
      projectRoot: join(root, 'repo/a'),
    });
  });

  it('says where an explicit file was expected and how to write one', () => {
    expect(() => findConfig({ explicit: 'none.json', cwd: root })).toThrow(
      `no config file at ${join(root, 'none.json')}`,
    );
  });
});
