import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import spawn from 'cross-spawn';
import { endGroup } from './end-group.ts';
import type { Watchdog } from './watchdog.ts';

export interface StartedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All that it gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads; nothing by default. */
  readonly input?: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** What it prints, as it comes; what they throw ends the program, and is thrown. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

export interface ProgramExit {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly isTimedOut: boolean;
}

/** It could not be started: it is not there, may not be run, or the system has no room for it. */
export class UnstartableError extends Error {}

/** What is still in the pipe when the program is gone is read by then. */
const LAST_WORDS_MS = 1_000;

/**
 * Runs a program to its end, in a group of its own that is ended whole: at the program's end, since it may have
 * left children, at its time, as soon as the signal fires, and with this process however that ends.
 * @throws {UnstartableError}; the signal's reason; what a listener threw
 */
export async function runProgram(program: StartedProgram, watchdog: Watchdog): Promise<ProgramExit> {
  const { signal, timeoutMs } = program;
  signal.throwIfAborted();
  const child = await start(program);
  const groupId = child.pid as number;
  watchdog.watch(groupId);
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= endGroup(groupId).finally(() => {
      watchdog.release(groupId);
      // A process that left the group may hold the pipes open for ever.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LAST_WORDS_MS).unref();
    });
    return ending;
  };
  const endNow = () => void end();
  let isTimedOut = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isTimedOut = true;
          endNow();
        }, timeoutMs);
  signal.addEventListener('abort', endNow, { once: true });
  child.once('exit', endNow);
  try {
    const exited = once(child, 'exit') as Promise<[number | null]>;
    // It may end without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(program.input ?? '');
    const faults = await Promise.all([
      heard(child.stdout, program.stdout, endNow),
      heard(child.stderr, program.stderr, endNow),
    ]);
    const [exitCode] = await exited;
    signal.throwIfAborted();
    const [fault] = faults.filter((each) => each !== undefined);
    if (fault) throw fault.error;
    return { exitCode, isTimedOut };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', endNow);
    await end();
  }
}

async function start(program: StartedProgram): Promise<ChildProcessWithoutNullStreams> {
  const { command, args, cwd, environment } = program;
  try {
    // cross-spawn: on Windows many are `.cmd` files, which node:child_process can't start.
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
    throw new UnstartableError(`"${command}" can't be started: ${reason}`, { cause: error });
  }
}

type Output = ChildProcessWithoutNullStreams['stdout'];

/** @returns what the listener threw, once the stream is closed */
async function heard(
  stream: Output,
  listener: (text: string) => void,
  end: () => void,
): Promise<{ readonly error: unknown } | undefined> {
  let fault: { readonly error: unknown } | undefined;
  stream.on('error', () => {});
  stream.setEncoding('utf8').on('data', (text: string) => {
    if (fault) return;
    try {
      listener(text);
    } catch (error) {
      fault = { error };
      end();
    }
  });
  await new Promise<void>((resolve) => void stream.once('close', resolve));
  return fault;
}
