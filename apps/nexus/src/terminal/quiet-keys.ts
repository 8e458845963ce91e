import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { ReadStream } from 'node:tty';

type Input = Pick<ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause' | 'ref' | 'unref'>;

/** Keys that are no input: what the terminal makes of each where nobody reads keys one by one. */
const SIGNALS: readonly (readonly [key: string, signal: NodeJS.Signals])[] = [
  ['\x03', 'SIGINT'],
  ['\x1a', 'SIGTSTP'],
  ['\x1c', 'SIGQUIT'],
];

/** What is typed while a terminal is drawn on is neither shown nor kept: an echo would stand in the drawing. */
export interface QuietKeys {
  begin(): void;
  /** From here on keys are the terminal's again, such as for a question. */
  end(): void;
}

interface System {
  readonly input: Input;
  /** To every process that the terminal would send it to. */
  send(signal: NodeJS.Signals): void;
  /** Whether the terminal takes orders of this process: it stops one in the background that gives some. */
  isForeground(): boolean;
}

/** Ctrl-C, Ctrl-Z and Ctrl-\ do as they do elsewhere. Where input is no terminal, as in a pipe, nothing is changed. */
export function quietKeys(system: Partial<System> = {}): QuietKeys {
  const { input = process.stdin, send = sendToGroup, isForeground = hasTerminal } = system;
  let isQuiet = false;

  function heard(chunk: Buffer | string): void {
    const keys = String(chunk);
    for (const [key, signal] of SIGNALS) {
      if (!keys.includes(key)) continue;
      end();
      if (signal === 'SIGTSTP') process.once('SIGCONT', begin);
      send(signal);
    }
  }

  function begin(): void {
    if (isQuiet || !input.isTTY || !isForeground()) return;
    isQuiet = true;
    input.setRawMode(true);
    input.on('data', heard);
    input.resume();
    // Nobody waits for keys.
    input.unref();
  }

  function end(): void {
    process.off('SIGCONT', begin);
    if (!isQuiet) return;
    isQuiet = false;
    input.off('data', heard);
    input.pause();
    input.setRawMode(false);
    input.ref();
  }

  return { begin, end };
}

function sendToGroup(signal: NodeJS.Signals): void {
  process.kill(0, signal);
}

/** Where the system does not say, a command with a terminal is taken to have it; on Windows keys stay as they are. */
function hasTerminal(): boolean {
  if (process.platform === 'win32') return false;
  if (process.platform !== 'linux') return true;
  // proc(5): after the name in brackets come state, parent, group, session, terminal, and the group that has that.
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
