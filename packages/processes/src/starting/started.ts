import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';

/** A program, and how it is to be started. No shell reads it. */
export interface ProgramToStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All that it gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it is one process group with all that it starts, so that it can be ended whole. Not on Windows. */
  readonly hasGroup: boolean;
  /** Ends the wait for its start; a program that was started all the same is ended. */
  readonly signal?: AbortSignal | undefined;
}

export interface ExitOfProgram {
  /** Null where a signal ended it, and where nobody can tell. */
  readonly exitCode: number | null;
  /** Null where it exited by itself. Both are null where what had started it is gone, and nobody can tell. */
  readonly signalName: NodeJS.Signals | null;
}

/** A program that runs. */
export interface Started {
  readonly pid: number;
  readonly stdin: Writable;
  /** Both are to be read to their end; one on which nothing was printed may be closed already. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process is gone; what it printed may still be on its way. */
  readonly exited: Promise<ExitOfProgram>;
}

/** From this process itself, which stands still for as long as its tables of memory are copied. */
export async function startDirectly(program: ProgramToStart): Promise<Started> {
  const { command, args, cwd, environment, hasGroup } = program;
  // cross-spawn: on Windows `npx` and its like are `.cmd` files, which node:child_process can't start.
  const child = spawn(command, [...args], {
    cwd,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // On Windows it would open a console window.
    detached: hasGroup && process.platform !== 'win32',
    windowsHide: true,
  });
  // Later ones (a signal that could not be sent) change nothing; without a listener they would be thrown.
  child.on('error', () => {});
  const exited = new Promise<ExitOfProgram>((resolve) => {
    child.once('exit', (exitCode, signalName) => resolve({ exitCode, signalName }));
  });
  await once(child, 'spawn');
  const { stdin, stdout, stderr } = child;
  // Known once it is spawned, with all three streams piped.
  return { pid: child.pid as number, stdin, stdout, stderr, exited } as Started;
}
