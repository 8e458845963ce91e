import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { shown } from '../terminal/shown.ts';

const MAX_HISTORY = 500;
const PASTES_ON = '\u001b[?2004h';
const PASTES_OFF = '\u001b[?2004l';

/** Lines of a person on a terminal, with a history that lasts. */
export interface LineReader {
  /**
   * One input, of several lines where it says so; undefined when there is no more.
   * @throws the signal's reason
   */
  read(prompt: string): Promise<string | undefined>;
  /** One answer, kept out of the history; undefined when there is no more. */
  question(prompt: string, signal: AbortSignal): Promise<string | undefined>;
  /** Hears of Ctrl-C. */
  onInterrupt(listener: () => void): void;
  close(): void;
}

export function lineReader(historyFile: string): LineReader {
  const { stdin: input, stdout: output } = process;
  const terminal = createInterface({
    input,
    output,
    terminal: true,
    history: readHistory(historyFile),
    historySize: MAX_HISTORY,
    removeHistoryDuplicates: true,
  });
  let interrupted = () => {};
  let taken: ((line: string | undefined) => void) | undefined;
  let isClosed = false;
  let isLeft = false;
  let isPasting = false;
  let pasted: string[] = [];
  /** Typed ahead, while a turn ran: the next inputs, and never the answer to a question. */
  const ahead: string[] = [];
  output.write(PASTES_ON);
  // A pasted text is one input, whatever line ends it has.
  input.on('keypress', (_text, key?: { readonly name?: string }) => {
    if (key?.name === 'paste-start') isPasting = true;
    if (key?.name === 'paste-end') isPasting = false;
  });
  terminal.on('line', (line) => {
    if (isPasting) {
      pasted.push(line);
      return;
    }
    const whole = [...pasted, line].join('\n');
    pasted = [];
    // A second line of the same chunk comes before whoever took the first can ask for it.
    const take = taken;
    taken = undefined;
    if (take) take(whole);
    else ahead.push(whole);
  });
  terminal.on('SIGINT', () => interrupted());
  terminal.on('close', () => {
    isClosed = true;
    taken?.(undefined);
  });

  async function next(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (isClosed) return undefined;
    signal?.throwIfAborted();
    terminal.setPrompt(shown(prompt, output));
    terminal.prompt();
    let abort = () => {};
    try {
      return await new Promise<string | undefined>((resolve, reject) => {
        abort = () => reject(signal?.reason);
        taken = resolve;
        signal?.addEventListener('abort', abort, { once: true });
      });
    } finally {
      taken = undefined;
      signal?.removeEventListener('abort', abort);
    }
  }

  return {
    async read(prompt) {
      const first = ahead.shift() ?? (await next(prompt));
      if (first === undefined) return undefined;
      const lines = [first];
      const isBlock = first.trim() === '"""';
      if (isBlock) lines.pop();
      for (;;) {
        const last = lines.at(-1) ?? '';
        if (!isBlock && !last.endsWith('\\')) return lines.join('\n');
        if (!isBlock) lines[lines.length - 1] = last.slice(0, -1);
        const line = ahead.shift() ?? (await next('… '));
        if (line === undefined || (isBlock && line.trim() === '"""')) return lines.join('\n');
        lines.push(line);
      }
    },
    async question(prompt, signal) {
      const answer = await next(prompt, signal);
      // What was said to a question is no input to find again.
      const { history } = terminal as unknown as { history: string[] };
      if (answer !== undefined && history[0] === answer) history.shift();
      return answer;
    },
    onInterrupt(listener) {
      interrupted = listener;
    },
    close() {
      if (isLeft) return;
      isLeft = true;
      const { history } = terminal as unknown as { history: string[] };
      terminal.close();
      output.write(PASTES_OFF);
      mkdirSync(dirname(historyFile), { recursive: true, mode: 0o700 });
      writeFileSync(historyFile, JSON.stringify(history), { mode: 0o600 });
    },
  };
}

function readHistory(file: string): string[] {
  try {
    const lines: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : [];
  } catch {
    return [];
  }
}
