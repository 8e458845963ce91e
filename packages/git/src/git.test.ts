import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isAlive } from '@nexus/processes';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { git } from './git.ts';

const PATIENCE = { timeout: 20_000, interval: 20 };
const signal = new AbortController().signal;
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-git-')));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts a shell's script in the place of git, for all that is asked of it but its settings. */
function gitIs(script: string): void {
  const file = join(folder, 'bin/git');
  writeFileSync(file, `#!/bin/sh\n[ "$1" = config ] && exit 0\n${script}\n`);
  chmodSync(file, 0o755);
  vi.stubEnv('PATH', [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter));
}

describe.skipIf(process.platform === 'win32')('git', () => {
  it('is ended with all that it started when its caller gives up', async () => {
    const file = join(folder, 'pid');
    gitIs(`sleep 1000 & echo $! > '${file}.new'; mv '${file}.new' '${file}'; wait`);
    const caller = new AbortController();
    const running = git({ treeTop: folder }, ['status'], { signal: caller.signal });
    running.catch(() => {});
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), PATIENCE);
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    caller.abort(new Error('given up'));
    await expect(running).rejects.toThrow('given up');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE);
  });

  it('that prints without end is a failure that says so, and never a part of what it printed', async () => {
    gitIs('yes');
    await expect(git({ treeTop: folder }, ['log'], { signal })).rejects.toThrow(
      /git log failed: it printed more than \d+ characters/,
    );
  });

  it('that was ended from outside is a failure that says so', async () => {
    gitIs('kill -KILL $$');
    await expect(git({ treeTop: folder }, ['log'], { signal })).rejects.toThrow('it was ended from outside');
  });

  it('is told by what it said and exited', async () => {
    gitIs('echo out; echo "fatal: no" >&2; exit 3');
    await expect(git({ treeTop: folder }, ['log'], { signal })).rejects.toThrow('git log failed: fatal: no');
    expect(await git({ treeTop: folder }, ['log'], { signal, allowExits: [3] })).toBe('out\n');
  });

  it('that is not there is said to be missing', async () => {
    vi.stubEnv('PATH', join(folder, 'bin'));
    await expect(git({ treeTop: folder }, ['log'], { signal })).rejects.toThrow(
      `git can't be started in ${folder}`,
    );
  });
});
