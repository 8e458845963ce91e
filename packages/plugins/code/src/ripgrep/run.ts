import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { ToolError } from '@nexus/plugin-sdk';
import { isInside } from '../roots/is-inside.ts';
import { ripgrepBinary, ripgrepMissing } from './binary.ts';

/** How rg is run everywhere, from the plugin's options. */
export interface Ripgrep {
  readonly binary: string | undefined;
  readonly exclude: readonly string[];
  readonly maxFileBytes: number;
  /** Real paths that are never entered. */
  readonly privatePaths: readonly string[];
}

export interface RipgrepRun {
  /** Options alone. */
  readonly args: readonly string[];
  /** The pattern where there is one, then what to search. */
  readonly operands: readonly string[];
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
  { args, operands, cwd, separator, signal }: RipgrepRun,
): AsyncGenerator<string[], Unreadable, undefined> {
  const binary = await ripgrepBinary(ripgrep.binary);
  signal.throwIfAborted();
  const child = spawn(
    binary,
    [...commonArgs(ripgrep), ...args, ...privateGlobs(ripgrep, cwd), '--', ...operands],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    },
  );
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const ended = endOf(child);
  try {
    // Without a file descriptor left for its pipes there are none, whatever the type says.
    if (!child.stdout) unreadableOf(await ended, { binary, cwd });

    let rest = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      const records = (rest + chunk).split(separator);
      rest = records.pop() ?? '';
      yield records;
    }
    const end = await ended;
    signal.throwIfAborted();
    return unreadableOf(end, { binary, cwd });
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
    '--no-ignore-messages',
    '--color=never',
    `--max-filesize=${maxFileBytes}`,
  ].concat(exclude.map((glob) => `--glob=!${glob}`));
}

/** Last of all globs, since the last one that matches decides: none of the caller's brings them back. */
function privateGlobs({ privatePaths }: Ripgrep, cwd: string): string[] {
  return privatePaths
    .filter((path) => path !== cwd && isInside(cwd, path))
    .map((path) => relative(cwd, path).split(sep).join('/'))
    .map((path) => `--glob=!/${path.replace(/\\/g, '\\\\').replace(/[*?[\]{} ]/g, '[$&]')}`);
}

interface End {
  readonly error?: Error;
  readonly exitCode?: number | null;
  readonly stderr: string;
}

function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<End> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < 10_000) stderr += text;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ error, stderr }));
    child.once('close', (exitCode) => resolve({ exitCode, stderr }));
  });
}

/** rg ends with 0 when it found something, 1 when not, and 2 when anything went wrong on the way. */
function unreadableOf(
  { error, exitCode, stderr }: End,
  { binary, cwd }: { binary: string; cwd: string },
): Unreadable {
  if (error && !existsSync(cwd)) {
    const text = `The folder ${cwd} is gone. Name another directory, or take it off the roots in the host.`;
    throw new ToolError('NEXUS_NOT_FOUND', text);
  }
  const code = error && 'code' in error ? error.code : undefined;
  if (code === 'EMFILE' || code === 'ENFILE' || code === 'EAGAIN') {
    const text = `The system lets this server start no more programs now (${code}); try again, or raise its limits (ulimit -n).`;
    throw new ToolError('NEXUS_UNAVAILABLE', text, { cause: error });
  }
  if (error) throw ripgrepMissing(`at ${binary} that runs (${error.message})`, error);
  if (exitCode === 0 || exitCode === 1) return [];
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  if (exitCode !== 2 || lines.length === 0) {
    const text = `ripgrep was ended before it was done (exit ${exitCode}); try again. ${stderr}`.trim();
    throw new ToolError('NEXUS_UNAVAILABLE', text);
  }
  // It goes on when it can't open a file; anything else that it says is about the pattern or the glob.
  const isPartial = lines.every((line) => /\(os error \d+\)/.test(line));
  if (isPartial) return lines.map((line) => line.replace(/^rg: (\.[\\/])?/, ''));
  const words = stderr.replace(PCRE_ADVICE, '').trim();
  throw new ToolError('NEXUS_INVALID_PATTERN', `ripgrep refused the pattern or glob.\n${words}`);
}

/** An advice for the command line, that no caller can follow. */
const PCRE_ADVICE = /\s*Consider enabling PCRE2[\s\S]*$/i;
