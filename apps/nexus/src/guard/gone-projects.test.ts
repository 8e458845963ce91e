import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { goneProjects } from './gone-projects.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function repository(files: Readonly<Record<string, string>>) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'gone-projects-')));
  made.push(top);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: top });
  git('init', '--quiet');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  const gone = (...names: string[]) => goneProjects(top, names, AbortSignal.timeout(20_000));
  return { top, git, gone };
}

describe('projects whose config is gone', () => {
  it('are those of subfolders that a commit has files of, with what names them', async () => {
    const { top, git, gone } = repository({
      'nexus.config.json': '{}',
      'a/nexus.config.yml': 'project: { id: second }',
      'a/nexus.config.yaml': 'project: { id: first }\nplugins: [./gone.js]',
      'a/src/x.ts': '1',
      'b/nexus.config.json': '{}',
      'c/nexus.config.json': '{}',
    });
    // There is no commit yet to have had any.
    expect(await gone('a/src/x.ts')).toEqual([]);
    git('add', '.');
    git('commit', '--quiet', '-m', 'one');
    expect(await gone('a/src/x.ts')).toEqual([]);
    git('rm', '--quiet', '-r', 'a', 'b', 'nexus.config.json');
    expect(await gone('a/src/x.ts', 'c/x.ts')).toEqual([
      {
        treeTop: top,
        configFile: join(top, 'a', 'nexus.config.yaml'),
        config: { project: { id: 'first' } },
      },
    ]);
    // It is gone though this commit is not what takes it away.
    git('reset', '--quiet', '--hard');
    rmSync(join(top, 'b', 'nexus.config.json'));
    expect(await gone('b/src/x.ts')).toMatchObject([{ config: {} }]);
  });
});
