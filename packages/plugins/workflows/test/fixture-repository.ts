import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A git repository of a user, in a temporary folder. */
export interface FixtureRepository extends Disposable {
  /** Real path. */
  readonly path: string;
  git(...args: string[]): string;
  write(file: string, text: string): void;
  /** All that a user has there: files, index, HEAD, stash, settings and hooks; branches and commits may come. */
  snapshot(): Readonly<Record<string, string>>;
}

/** A sum that subtracts, and the test that shows it. */
const BROKEN_SUM = {
  'package.json': '{ "type": "module" }\n',
  'sum.js': 'export const sum = (a, b) => a - b;\n',
  'sum.test.js': [
    "import assert from 'node:assert';",
    "import { sum } from './sum.js';",
    "assert.equal(sum(2, 3), 5, 'two and three are five');",
    "console.log('sum is right');",
    '',
  ].join('\n'),
  '.gitignore': 'ignored/\n',
};

/** Node, as a command that needs nothing of the machine. */
export const TEST_COMMAND = [process.execPath, 'sum.test.js'];

export function fixtureRepository(files: Readonly<Record<string, string>> = BROKEN_SUM): FixtureRepository {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-repository-')));
  const env = {
    PATH: process.env.PATH,
    HOME: path,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'User',
    GIT_AUTHOR_EMAIL: 'user@localhost',
    GIT_COMMITTER_NAME: 'User',
    GIT_COMMITTER_EMAIL: 'user@localhost',
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, env, encoding: 'utf8' });
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  git('init', '--quiet', '--initial-branch=main');
  for (const [file, text] of Object.entries(files)) write(file, text);
  git('add', '--all');
  git('commit', '--quiet', '--message=Begin');
  return {
    path,
    git,
    write,
    snapshot: () => {
      const own = readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((file) => !NEXUS_MAY_WRITE.test(file.slice(path.length + 1)));
      return Object.fromEntries(own.map((file) => [file.slice(path.length + 1), digestOf(file)]));
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Where a branch and its commits lie; `worktrees` is empty again when the work is over. */
const NEXUS_MAY_WRITE =
  /^\.git\/(objects\/|refs\/heads\/nexus\/|logs\/refs\/heads\/nexus\/|worktrees\/|packed-refs$)/;

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
