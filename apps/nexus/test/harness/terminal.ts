import { spawn } from '@lydell/node-pty';
import { expect, vi } from 'vitest';
import { bin } from './app.ts';
import type { Project } from './project.ts';

const CTRL_C = '\x03';

/** `nexus <args>` on a terminal of its own. */
export interface Terminal {
  /** Everything that was written to it, control sequences included. */
  shown(): string;
  /** Until the text is on it. */
  shows(text: string): Promise<void>;
  type(text: string): void;
  /** Ctrl-C; the exit code. */
  interrupt(): Promise<number>;
  /** Of a command that ends by itself. */
  readonly exited: Promise<number>;
  /** The window is closed; the signal that ended the command. */
  close(): Promise<number | undefined>;
}

export function openTerminal(project: Project, args: readonly string[], columns = 200): Terminal {
  const terminal = spawn(process.execPath, [bin, ...args], {
    cwd: project.root,
    env: { ...project.env },
    cols: columns,
    rows: 50,
  });
  let shown = '';
  terminal.onData((data) => {
    shown += data;
  });
  const ended = new Promise<{ exitCode: number; signal?: number | undefined }>((resolve) => {
    terminal.onExit(resolve);
  });
  const exited = ended.then(({ exitCode }) => exitCode);
  return {
    shown: () => shown,
    shows: (text) => vi.waitFor(() => expect(shown).toContain(text), { timeout: 20_000 }),
    type: (text) => terminal.write(text),
    exited,
    interrupt() {
      terminal.write(CTRL_C);
      return exited;
    },
    async close() {
      (terminal as typeof terminal & { destroy(): void }).destroy();
      return (await ended).signal;
    },
  };
}
