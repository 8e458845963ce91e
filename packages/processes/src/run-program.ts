import { endGroup } from './end-group.ts';
import { heard } from './heard.ts';
import { startProgram } from './starting/start-program.ts';
import type { ExitOfProgram, Started } from './starting/started.ts';
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

/** It ran, and by what it ended nobody can tell: the process that had started it was ended meanwhile. */
export class LostProgramError extends Error {}

/** What is still in the pipe when the program is gone is read by then. */
const LAST_WORDS_MS = 1_000;

/**
 * Runs a program to its end, in a group of its own that is ended whole: at the program's end, since it may have
 * left children, at its time, as soon as the signal fires, and with this process however that ends.
 * @param watchdog without one a program that this process was killed under may come to its own end
 * @throws {UnstartableError}; {LostProgramError}; the signal's reason; what a listener threw
 */
export async function runProgram(program: StartedProgram, watchdog?: Watchdog): Promise<ProgramExit> {
  const { signal, timeoutMs } = program;
  signal.throwIfAborted();
  const child = await start(program);
  const groupId = child.pid;
  watchdog?.watch(groupId);
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= endGroup(groupId).finally(() => {
      watchdog?.release(groupId);
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
  // An event that came while it was being started is not told again.
  if (signal.aborted) endNow();
  void child.exited.then(endNow);
  try {
    // It may end without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(program.input ?? '');
    const faults = await Promise.all([
      heard(child.stdout, program.stdout, endNow),
      heard(child.stderr, program.stderr, endNow),
    ]);
    const exit = await child.exited;
    signal.throwIfAborted();
    const [fault] = faults.filter((each) => each !== undefined);
    if (fault) throw fault.error;
    if (!isTimedOut) assertKnown(exit, program);
    return { exitCode: exit.exitCode, isTimedOut };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', endNow);
    await end();
  }
}

function assertKnown({ exitCode, signalName }: ExitOfProgram, { command }: StartedProgram): void {
  if (exitCode !== null || signalName !== null) return;
  const text = `"${command}" is over, and nobody can tell how it ended, since the process that had started it was ended first`;
  throw new LostProgramError(text);
}

async function start({ command, args, cwd, environment, signal }: StartedProgram): Promise<Started> {
  try {
    return await startProgram({ command, args, cwd, environment, hasGroup: true, signal });
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnstartableError(`"${command}" can't be started: ${reason}`, { cause: error });
  }
}
