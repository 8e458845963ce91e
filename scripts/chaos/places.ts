import { execFileSync } from 'node:child_process';
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
import { PROJECT_FILES } from './work-kinds.ts';

/** A machine, as far as a server can tell: a home, a checkout, a data directory and sockets of its own. */
export interface Place {
  readonly name: string;
  readonly root: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The process that serves the project here now. */
  owner(): number | undefined;
  remove(): void;
}

/** A socket's path must stay short, and the folder for temporary files is a long one on macOS. */
const SHORT_TMP = process.platform === 'win32' ? tmpdir() : '/tmp';
const KEPT_VARIABLES = ['LANG', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

/** Checkouts of one project have the same commit. */
const SAME_DAY = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };

export function makePlace(name: string, env: Readonly<Record<string, string>>): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), `nexus-chaos-${name}-`)));
  const runtimeDir = mkdtempSync(join(SHORT_TMP, 'nx-'));
  const root = join(base, 'project');
  const home = join(base, 'home');
  const dataDir = join(base, 'data');
  mkdirSync(home, { recursive: true });
  for (const [path, content] of Object.entries(PROJECT_FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: { ...process.env, ...SAME_DAY } });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=User', '-c', 'user.email=u@localhost', 'commit', '--quiet', '-m', 'Begin');
  const kept = KEPT_VARIABLES.flatMap((key) => {
    const value = process.env[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    name,
    root,
    dataDir,
    env: {
      ...Object.fromEntries(kept),
      // No model's program of this machine is found.
      PATH: '/usr/bin:/bin',
      HOME: home,
      USERPROFILE: home,
      LOCALAPPDATA: home,
      NEXUS_DATA_DIR: dataDir,
      NEXUS_RUNTIME_DIR: runtimeDir,
      NEXUS_TRUST: 'all',
      NEXUS_PROJECT_ID: 'chaos',
      ANTHROPIC_API_KEY: 'sk-ant-test',
      ...env,
    },
    owner() {
      for (const file of readdirSync(runtimeDir, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.json')) continue;
        try {
          return (JSON.parse(readFileSync(join(runtimeDir, file), 'utf8')) as { pid: number }).pid;
        } catch {
          // Gone, or half written: whoever comes next writes it anew.
        }
      }
      return undefined;
    },
    remove() {
      for (const folder of [base, runtimeDir])
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
