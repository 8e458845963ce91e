import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { ToolError } from '@nexus/plugin-sdk';
import { ripgrepBinary, ripgrepMissing } from './binary.ts';

/** How rg is run everywhere, from the plugin's options. */
export interface Ripgrep {
  readonly binary: string | undefined;
  readonly exclude: readonly string[];
  readonly maxFileBytes: number;
}

export interface RipgrepRun {
  readonly args: readonly string[];
  /** Globs are relative to it. */
  readonly cwd: string;
  /** What ends a record: a newline, or NUL in lists of files. */
  readonly separator: '\n' | '\0';
  readonly signal: AbortSignal;
}

/** What rg could not open, each with its reason. */
export type Unreadable = readonly string[];

/**
 * Runs rg and gives its records in batches, as they come. Leaving the loop early ends rg, as the signal
 * does: no process stays behind.
 * @returns at the end, what could not be read
 * @throws {ToolError} NEXUS_INVALID_PATTERN with rg's own message, NEXUS_UNAVAILABLE without rg
 */
export async function* ripgrepRecords(
  ripgrep: Ripgrep,
  { args, cwd, separator, signal }: RipgrepRun,
): AsyncGenerator<string[], Unreadable, undefined> {
  const binary = await ripgrepBinary(ripgrep.binary);
  signal.throwIfAborted();
  const child = spawn(binary, [...commonArgs(ripgrep), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const ended = endOf(child);
  try {
    let rest = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      const records = (rest + chunk).split(separator);
      rest = records.pop() ?? '';
      yield records;
    }
    const { error, stderr } = await ended;
    signal.throwIfAborted();
    if (error) throw ripgrepMissing(`at ${binary} that runs (${error.message})`, error);
    return readFailures(stderr);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** The user's own rg config must not change what a tool answers; .gitignore counts outside git too. */
function commonArgs({ exclude, maxFileBytes }: Ripgrep): string[] {
  return [
    '--no-config',
    '--hidden',
    '--no-require-git',
    '--color=never',
    `--max-filesize=${maxFileBytes}`,
  ].concat(exclude.map((glob) => `--glob=!${glob}`));
}

function endOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < 10_000) stderr += text;
  });
  return new Promise<{ error?: Error; stderr: string }>((resolve) => {
    child.once('error', (error) => resolve({ error, stderr }));
    child.once('close', () => resolve({ stderr }));
  });
}

/** rg goes on when it can't open a file; anything else that it says is about the pattern or the glob. */
function readFailures(stderr: string): Unreadable {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const unreadable = lines.filter((line) => /\(os error \d+\)/.test(line));
  if (lines.length === unreadable.length)
    return unreadable.map((line) => line.replace(/^rg: (\.[\\/])?/, ''));
  throw new ToolError('NEXUS_INVALID_PATTERN', `ripgrep refused the pattern or glob.\n${stderr.trim()}`);
}
