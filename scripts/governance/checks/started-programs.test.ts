import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import { fixtureSubject } from '../fixture-subject.ts';
import { startedPrograms } from './started-programs.ts';

const GIT = 'packages/git/src/git.ts';
const PROGRAMS = 'packages/processes/src/starting/started.ts';

/** What it says of one file; that the others of its list are not there is another matter. */
async function findings(file: string, text: string) {
  const found = await startedPrograms.run(fixtureSubject({ files: { [file]: text } }));
  return found.filter(({ where }) => where.startsWith(file)).map(({ what }) => what);
}

describe('started-programs', () => {
  it.each([
    [GIT, "runProgram({ command: 'git', args, environment });"],
    [PROGRAMS, "import { spawn } from 'node:child_process';\nspawn(rg, args, { cwd, env: few([]) });"],
    ['packages/core/src/a.ts', "import type { ChildProcess } from 'node:child_process';\n// spawn('git')"],
    ['packages/core/src/a.ts', "import { type Worker, isMainThread } from 'node:worker_threads';"],
  ])('finds nothing in %s: %s', async (file, text) => {
    expect(await findings(file, text)).toEqual([]);
  });

  it.each([
    [
      PROGRAMS,
      "import { spawn } from 'node:child_process';\nspawn(rg, args, { cwd });",
      'states no variables',
    ],
    [PROGRAMS, "import { spawn } from 'node:child_process';\nspawn(rg, args);", 'states no variables'],
    [
      PROGRAMS,
      "import spawn from 'cross-spawn';\nspawn(rg, { env: { ...process.env, A: '1' } });",
      'all of this process',
    ],
    [
      PROGRAMS,
      "import { spawn } from 'node:child_process';\nspawn('git', [], { env: few([]) });",
      'starts git',
    ],
    ['packages/core/src/a.ts', "host.programs.run({ command: ['git', 'status'] });", 'starts git'],
    ['packages/core/src/a.ts', "const { execa } = await import('execa');", 'starts programs or threads'],
    [GIT, "const { execa } = await import('execa');", 'starts programs or threads'],
    ['packages/core/src/a.ts', "import { Worker } from 'node:worker_threads';", 'starts programs or threads'],
  ])('finds in %s: %s', async (file, text, what) => {
    expect(await findings(file, text)).toMatchObject([expect.stringContaining(what)]);
  });

  it('finds what its list names and starts nothing', async () => {
    const found = await startedPrograms.run(fixtureSubject({ files: { [PROGRAMS]: 'export {};' } }));
    expect(found).toContainEqual(
      expect.objectContaining({ what: `lists ${PROGRAMS}, which starts nothing` }),
    );
  });

  it('does not pass when there is no source', () => {
    expect(startedPrograms.run(fixtureSubject())).toMatchObject([{ what: 'looked at no sources' }]);
  });

  it('finds nothing here', async () => {
    const subject = fixtureSubject();
    expect(await startedPrograms.run({ ...subject, workspace: openWorkspace() })).toEqual([]);
  });
});
