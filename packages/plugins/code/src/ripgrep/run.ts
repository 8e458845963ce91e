import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { parse, relative, sep } from 'node:path';
import { type Programs, programEnvironment, type RunningProgram, ToolError } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import { isExhausted, ripgrepBinary, ripgrepMissing } from './binary.ts';
import { assertReadableAbove } from './ignore-files.ts';
import { watchProcess } from './watch-process.ts';

/** How rg is run everywhere, from the plugin's options. */
export interface Ripgrep {
  readonly binary: string | undefined;
  readonly exclude: readonly string[];
  readonly maxFileBytes: number;
  /** Real paths that are never entered. */
  readonly privatePaths: readonly string[];
  readonly programs: Programs;
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
 * @throws {ToolError} NEXUS_INVALID_PATTERN with rg's own message, NEXUS_UNAVAILABLE without rg,
 * NEXUS_FILE_UNREADABLE for a list of ignored files that would hold rg or fill the memory, or that rg refuses
 */
export async function* ripgrepRecords(
  ripgrep: Ripgrep,
  { args, operands, cwd, separator, signal }: RipgrepRun,
): AsyncGenerator<string[], Unreadable, undefined> {
  const binary = await ripgrepBinary(ripgrep.binary);
  signal.throwIfAborted();
  assertReadableAbove(cwd);
  const rg = await start(ripgrep, {
    command: [binary, ...commonArgs(ripgrep), ...args, ...privateGlobs(ripgrep, cwd), '--', ...operands],
    cwd,
    signal,
  });
  const said = saidBy(rg);
  let fault: ToolError | undefined;
  using _watch = watchProcess({
    pid: rg.pid,
    cwd,
    end(found) {
      fault = found;
      rg.end();
    },
  });
  try {
    let rest = '';
    for await (const chunk of rg.stdout.setEncoding('utf8')) {
      const records = (rest + chunk).split(separator);
      rest = records.pop() ?? '';
      yield records;
    }
    const { exitCode } = await rg.exited;
    const stderr = await said;
    signal.throwIfAborted();
    if (fault) throw fault;
    const unread = unreadableOf(exitCode, stderr);
    if (unread) return unread;
    const words = stderr.replace(PCRE_ADVICE, '').trim();
    if (!(await isRefusedAnywhere(ripgrep, { command: [binary, ...args], operands, signal }))) {
      const text = `ripgrep can’t read this folder, and not for the pattern or glob: a list of ignored files may be at fault.\n${words}`;
      throw new ToolError('NEXUS_FILE_UNREADABLE', text, { detail: { path: cwd } });
    }
    throw new ToolError('NEXUS_INVALID_PATTERN', `ripgrep refused the pattern or glob.\n${words}`);
  } finally {
    rg.end();
  }
}

/**
 * The user's own rg config must not change what a tool answers. Of lists of ignored files git's alone count,
 * outside git too.
 */
function commonArgs({ exclude }: Ripgrep): string[] {
  return [
    '--no-config',
    '--hidden',
    '--no-require-git',
    '--no-ignore-dot',
    '--no-ignore-messages',
    '--color=never',
  ].concat(exclude.map((glob) => `--glob=!${glob}`));
}

/** For what reads files: those that are larger it passes over. */
export function sizeArg({ maxFileBytes }: Ripgrep): string {
  return `--max-filesize=${maxFileBytes}`;
}

/** Last of all globs, since the last one that matches decides: none of the caller's brings them back. */
function privateGlobs({ privatePaths }: Ripgrep, cwd: string): string[] {
  const own = privatePaths
    .filter((path) => path !== cwd && isInside({ path: path, folder: cwd }))
    .map((path) => relative(cwd, path).split(sep).join('/'))
    .map((path) => `--glob=!/${path.replace(/\\/g, '\\\\').replace(/[*?[\]{} ]/g, '[$&]')}`);
  // What `code.exclude` says of a project must not open what may hold credentials.
  return ['--iglob=!.git', ...own];
}

/** @returns what rg said of what went wrong, once it is over */
function saidBy({ stderr }: RunningProgram): Promise<string> {
  let said = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 10_000) said += text;
  });
  if (stderr.closed) return Promise.resolve(said);
  return new Promise((resolve) => void stderr.once('close', () => resolve(said)));
}

async function start(
  { programs }: Ripgrep,
  program: Pick<Parameters<Programs['start']>[0], 'command' | 'cwd' | 'signal'>,
): Promise<RunningProgram> {
  try {
    return await programs.start({ ...program, variables: programEnvironment([]) });
  } catch (error) {
    program.signal.throwIfAborted();
    throw unstartable(error, program);
  }
}

function unstartable(
  error: unknown,
  { command: [binary], cwd }: { readonly command: readonly string[]; readonly cwd: string },
): ToolError {
  if (!existsSync(cwd)) {
    const text = `The folder ${cwd} is gone. Name another directory, or take it off the roots in the host.`;
    return new ToolError('NEXUS_NOT_FOUND', text);
  }
  if (isExhausted(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return ripgrepMissing(`at ${binary} that runs (${reason})`, error);
}

/** Whether rg refuses its arguments where there is nothing to read: no file, and no list of ignored ones. */
async function isRefusedAnywhere(
  ripgrep: Ripgrep,
  {
    command,
    operands,
    signal,
  }: { command: readonly string[]; operands: readonly string[]; signal: AbortSignal },
): Promise<boolean> {
  const isList = command.includes('--files');
  const nothing = [...(isList ? [] : operands.slice(0, 1)), devNull];
  const rg = await start(ripgrep, {
    command: [
      ...command.slice(0, 1),
      ...commonArgs(ripgrep),
      ...command.slice(1),
      '--no-ignore',
      '--',
      ...nothing,
    ],
    cwd: parse(process.execPath).root,
    signal,
  });
  rg.stdout.resume();
  const said = saidBy(rg);
  const { exitCode } = await rg.exited;
  await said;
  return exitCode !== 0 && exitCode !== 1;
}

/**
 * rg ends with 0 when it found something, 1 when not, and 2 when anything went wrong on the way.
 * @returns undefined where it refused what it was given
 */
function unreadableOf(exitCode: number | null, stderr: string): Unreadable | undefined {
  if (exitCode === 0 || exitCode === 1) return [];
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  if (exitCode !== 2 || lines.length === 0) {
    const text = `ripgrep was ended before it was done (exit ${exitCode}); try again. ${stderr}`.trim();
    throw new ToolError('NEXUS_UNAVAILABLE', text);
  }
  // It goes on when it can't open a file; else it says what it refuses.
  const isPartial = lines.every((line) => /\(os error \d+\)/.test(line));
  return isPartial ? lines.map((line) => line.replace(/^rg: (\.[\\/])?/, '')) : undefined;
}

/** An advice for the command line, that no caller can follow. */
const PCRE_ADVICE = /Consider enabling PCRE2[\s\S]*$/i;
