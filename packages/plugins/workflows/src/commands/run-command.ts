import { isToolError, ToolError } from '@nexus/plugin-sdk';
import { endGroup, guardGroup } from './end-group.ts';
import { KeptOutput } from './kept-output.ts';

export interface Command {
  /** Program and arguments, as they are: no shell reads them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputChars: number;
  readonly signal: AbortSignal;
}

/** What became of a command that could be started; plain JSON. */
export interface CommandResult {
  readonly outcome: 'passed' | 'failed' | 'timed_out';
  /** Absent where it was ended. */
  readonly exitCode?: number;
  /** What it printed on both streams, cut in the middle. */
  readonly output: string;
  readonly durationMs: number;
}

/** What is still in the pipe when the program is gone is read by then. */
const LAST_WORDS_MS = 1_000;

/**
 * Runs a program to its end, in a group of its own that is ended whole: at the program's end, since it may have
 * left children, at its deadline, as soon as the signal fires, and with this process.
 * @throws {ToolError} NEXUS_UNAVAILABLE where it can't be started; the signal's reason
 */
async function runCommand(command: Command): Promise<CommandResult> {
  const { argv, cwd, environment, timeoutMs, signal } = command;
  signal.throwIfAborted();
  const [program = '', ...args] = argv;
  const { execa } = await import('execa');
  const startedAt = performance.now();
  const child = execa(program, args, {
    cwd,
    env: { ...environment },
    extendEnv: false,
    stdin: 'ignore',
    buffer: false,
    reject: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { pid } = child;
  if (pid === undefined) throw unstartable(program, (await child).originalMessage);
  const letBe = guardGroup(pid);
  const kept = new KeptOutput(command.maxOutputChars);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => kept.add(text));
  }
  let end: Promise<void> | undefined;
  const endWhole = () => {
    end ??= endGroup(pid).finally(() => {
      letBe();
      // A process that left the group may hold the pipes open for ever.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LAST_WORDS_MS).unref();
    });
    return end;
  };
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    void endWhole();
  }, timeoutMs);
  const abort = () => void endWhole();
  signal.addEventListener('abort', abort, { once: true });
  child.once('exit', abort);
  try {
    const { exitCode } = await child;
    signal.throwIfAborted();
    return {
      outcome: isTimedOut ? 'timed_out' : exitCode === 0 ? 'passed' : 'failed',
      ...(exitCode === undefined || isTimedOut ? {} : { exitCode }),
      output: kept.text,
      durationMs: Math.round(performance.now() - startedAt),
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    await endWhole();
  }
}

function unstartable(program: string, reason: string | undefined): ToolError {
  const text = `"${program}" can't be started: ${reason ?? 'for no reason that the system tells'}. Correct the command in the config, or install it.`;
  return new ToolError('NEXUS_UNAVAILABLE', text, { detail: { program } });
}

/** As a check or a model is told of a program that can't be started. */
export async function runOrTell(command: Command): Promise<CommandResult> {
  try {
    return await runCommand(command);
  } catch (error) {
    if (command.signal.aborted || !isToolError(error)) throw error;
    return { outcome: 'failed', output: error.message, durationMs: 0 };
  }
}
