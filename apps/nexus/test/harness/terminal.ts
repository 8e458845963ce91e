import { spawn } from '@lydell/node-pty';
import { expect, vi } from 'vitest';
import { bin } from './app.ts';
import type { Project } from './project.ts';

const CTRL_C = '\x03';

/**
 * Stays on the terminal after the command, and says by what it ended: node-pty closes a terminal soon after its
 * process ended, whatever of it was not read by then.
 */
const STAYING = ['/bin/sh', '-c', 'trap : INT; "$@"; printf "\\033]exit %s\\007" $?; read -r _', 'sh'];
const ENDED = /\x1b\]exit (\d+)\x07/;

interface Screen {
  /** Everything that was written to it, control sequences included. */
  shown(): string;
  /** Until the text is on it. */
  shows(text: string | RegExp): Promise<void>;
}

/** `nexus <args>` on a terminal of its own. */
export interface Terminal extends Screen {
  type(text: string): void;
  /** Ctrl-C; the exit code. */
  interrupt(): Promise<number>;
  /** Ends the command as a crash does. */
  kill(): Promise<void>;
  /** Of a command that ends by itself. */
  readonly exited: Promise<number>;
}

/** A terminal whose window may be closed under `nexus <args>`. */
export interface Window extends Screen {
  /** The signal that ended the command. */
  close(): Promise<number | undefined>;
  /** Ctrl-C; whatever comes of it. */
  interrupt(): void;
  /** The signal that ended the command, by its number; 0 where it ended by itself. */
  readonly ended: Promise<number | undefined>;
}

export function openTerminal(project: Project, args: readonly string[], columns = 200): Terminal {
  const before = process.platform === 'win32' ? [] : STAYING;
  const { pty, ...screen } = start(project, [...before, process.execPath, bin, ...args], columns);
  const exited = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => resolve(exitCode));
    pty.onData(() => {
      const [said, exitCode] = ENDED.exec(screen.shown()) ?? [];
      if (said === undefined) return;
      resolve(Number(exitCode));
      pty.kill('SIGKILL');
    });
  });
  return {
    shown: () => screen.shown().replace(ENDED, ''),
    shows: screen.shows,
    type: (text) => pty.write(text),
    exited,
    async kill() {
      // All of the terminal's: the shell that stays on it, and the command.
      process.kill(-pty.pid, 'SIGKILL');
      await exited;
    },
    interrupt() {
      pty.write(CTRL_C);
      return exited;
    },
  };
}

export function openWindow(project: Project, args: readonly string[]): Window {
  const { pty, ...screen } = start(project, [process.execPath, bin, ...args], 200);
  const ended = new Promise<number | undefined>((resolve) => pty.onExit(({ signal }) => resolve(signal)));
  return {
    ...screen,
    ended,
    interrupt: () => pty.write(CTRL_C),
    close() {
      (pty as typeof pty & { destroy(): void }).destroy();
      return ended;
    },
  };
}

function start({ root, env }: Project, [program = '', ...args]: readonly string[], cols: number) {
  const pty = spawn(program, args, { cwd: root, env: { ...env }, cols, rows: 50 });
  let shown = '';
  pty.onData((data) => {
    shown += data;
  });
  return {
    pty,
    shown: () => shown,
    shows: (text: string | RegExp) =>
      vi.waitFor(
        () => (typeof text === 'string' ? expect(shown).toContain(text) : expect(shown).toMatch(text)),
        { timeout: 20_000 },
      ),
  };
}
