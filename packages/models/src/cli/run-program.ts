import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import spawn from 'cross-spawn';
import { ModelFailure } from '../failure.ts';

/** What ends a program with everything that it started, and with this process however that ends. */
export interface ProcessGuard {
  /** To be ended should this process be gone, even by SIGKILL. */
  watch(groupId: number): void;
  release(groupId: number): void;
  /** Ends every process of the group: asked first, then forced. */
  end(groupId: number): Promise<void>;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  readonly signal: AbortSignal;
  readonly line: (line: string) => void;
}

const MAX_OUTPUT_CHARS = 32 * 1024 * 1024;
/** What is still in the pipe when the program is gone is read by then. */
const LAST_WORDS_MS = 1_000;
const MAX_STDERR_CHARS = 4_096;

/**
 * Runs a program to its end, in a group of its own that is ended whole: at the program's end, since it may have
 * left children, and as soon as the signal fires.
 * @throws {ModelFailure}, or the signal's reason
 */
export async function runProgram(
  program: Program,
  guard: ProcessGuard,
): Promise<{ exitCode: number | null; stderr: string }> {
  const { signal } = program;
  signal.throwIfAborted();
  const child = await start(program);
  const groupId = child.pid as number;
  guard.watch(groupId);
  let end: Promise<void> | undefined;
  const endWhole = () => {
    end ??= guard.end(groupId).finally(() => {
      guard.release(groupId);
      // A process that left the group may hold the pipe open for ever.
      setTimeout(() => child.stdout.destroy(), LAST_WORDS_MS).unref();
    });
    return end;
  };
  const abort = () => void endWhole();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const exited = once(child, 'exit');
    const stderr = tailOf(child);
    // It may end without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(program.input);
    child.once('exit', () => void endWhole());
    await readLines(child, program.line);
    const [exitCode] = (await exited) as [number | null];
    signal.throwIfAborted();
    return { exitCode, stderr: stderr() };
  } finally {
    signal.removeEventListener('abort', abort);
    await endWhole();
  }
}

async function start({ command, args, cwd, environment }: Program): Promise<ChildProcessWithoutNullStreams> {
  try {
    // cross-spawn: on Windows these are `.cmd` files, which node:child_process can't start.
    const child = spawn(command, [...args], {
      cwd,
      env: { ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    child.on('error', () => {});
    await once(child, 'spawn');
    return child as ChildProcessWithoutNullStreams;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelFailure('unavailable', `"${command}" can't be started: ${reason}`, { cause: error });
  }
}

/** Each line as it comes, and what is left at the end. */
async function readLines({ stdout }: ChildProcessWithoutNullStreams, line: Program['line']): Promise<void> {
  let characters = 0;
  let pending = '';
  let fault: unknown;
  const take = (chunk: string) => {
    characters += chunk.length;
    if (characters > MAX_OUTPUT_CHARS)
      throw new ModelFailure('rejected', `it printed more than ${MAX_OUTPUT_CHARS} characters`);
    const lines = (pending + chunk).split(/\r?\n/);
    pending = lines.pop() ?? '';
    for (const each of lines) line(each);
  };
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk: string) => {
    try {
      take(chunk);
    } catch (error) {
      fault ??= error;
      stdout.destroy();
    }
  });
  stdout.on('error', () => {});
  await new Promise<void>((resolve) => void stdout.once('close', resolve));
  if (fault !== undefined) throw fault;
  if (pending !== '') line(pending);
}

function tailOf(child: ChildProcessWithoutNullStreams): () => string {
  let tail = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-MAX_STDERR_CHARS);
  });
  child.stderr.on('error', () => {});
  return () => tail.trim();
}
