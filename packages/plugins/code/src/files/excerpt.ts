import { createPause } from './pause.ts';
import { readFound } from './read-text.ts';

/** Longer lines are cut around the match, so that minified code can't fill an answer. */
const MAX_LINE_CHARACTERS = 300;
/** What is shown before the match in a line that is cut. */
const LEAD_CHARACTERS = 60;

export interface Excerpt {
  readonly text: string;
  /** The lines around it, as `41- text`. */
  readonly context: string[];
}

export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** UTF-8 bytes from 1. */
  readonly column: number;
}

/** Each place's line with what stands around it; empty where the file can't be read any more. */
export async function readExcerpts(places: readonly Place[], contextLines: number): Promise<Excerpt[]> {
  const pause = createPause();
  const files = new Map<string, string>();
  const excerpts: Excerpt[] = [];
  for (const { path, line, column } of places) {
    await pause();
    const content = files.get(path) ?? readFound(path);
    files.set(path, content);
    const first = Math.max(1, line - contextLines);
    const lines = linesOf(content, first, line + contextLines);
    const text = lines[line - first] ?? '';
    excerpts.push({
      text: cutLine(text, characters(text, column - 1)),
      context: lines.flatMap((each, at) => (first + at === line ? [] : `${first + at}- ${cutLine(each, 0)}`)),
    });
  }
  return excerpts;
}

/** How many characters the first `bytes` of a line's UTF-8 are. */
function characters(line: string, bytes: number): number {
  return Buffer.from(line).subarray(0, bytes).toString().length;
}

/** Lines `first` to `last`, found without splitting the whole text. */
function linesOf(text: string, first: number, last: number): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let line = 1; line <= last && start <= text.length; line += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    // A final newline ends the last line and starts no other.
    if (line >= first && (start < text.length || newline >= 0))
      lines.push(text.slice(start, end).replace(/\r$/, ''));
    start = end + 1;
  }
  return lines;
}

/** @param column in characters, from 0: what must stay visible */
export function cutLine(line: string, column: number): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const start = Math.max(0, Math.min(column - LEAD_CHARACTERS, line.length - MAX_LINE_CHARACTERS));
  const part = line.slice(start, start + MAX_LINE_CHARACTERS);
  return `${start > 0 ? '…' : ''}${part}${start + part.length < line.length ? '…' : ''}`;
}
