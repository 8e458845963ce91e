import { cutLine } from './cut-line.ts';
import { createPause } from './pause.ts';
import { readFound } from './read-text.ts';

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

/**
 * Each place's line with what stands around it; empty where the file can't be read any more.
 * @param places those of one file together, and by line
 */
export async function readExcerpts(
  places: readonly Place[],
  {
    contextLines,
    maxBytes,
    lineChars,
  }: { readonly contextLines: number; readonly maxBytes: number; readonly lineChars: number },
): Promise<Excerpt[]> {
  const pause = createPause();
  let open: { readonly path: string; readonly lines: Lines } | undefined;
  const excerpts: Excerpt[] = [];
  for (const { path, line, column } of places) {
    await pause();
    // One file at a time: a page may name two hundred, each as large as is read at all.
    if (open?.path !== path) open = { path, lines: new Lines(readFound(path, maxBytes)) };
    const first = Math.max(1, line - contextLines);
    const lines = open.lines.between(first, line + contextLines);
    const text = lines[line - first] ?? '';
    excerpts.push({
      text: cutLine(text, { line, column: characters(text, column - 1) }, lineChars),
      context: lines.flatMap((each, at) =>
        first + at === line
          ? []
          : `${first + at}- ${cutLine(each, { line: first + at, column: 0 }, lineChars)}`,
      ),
    });
  }
  return excerpts;
}

/** How many characters the first `bytes` of a line's UTF-8 are. */
function characters(line: string, bytes: number): number {
  // A character has at least one byte.
  return Buffer.from(line.slice(0, bytes)).subarray(0, bytes).toString().length;
}

/** A text by its lines, found without splitting all of it, and going on where the last look began. */
class Lines {
  readonly #text: string;
  #line = 1;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Lines `first` to `last`, as far as they are there. */
  between(first: number, last: number): string[] {
    if (first < this.#line) {
      this.#line = 1;
      this.#start = 0;
    }
    while (this.#line < first && this.#start <= this.#text.length) {
      this.#start = this.#endFrom(this.#start) + 1;
      this.#line += 1;
    }
    const lines: string[] = [];
    let start = this.#start;
    for (let line = first; line <= last && start <= this.#text.length; line += 1) {
      const end = this.#endFrom(start);
      // A final newline ends the last line and starts no other.
      if (start < this.#text.length || this.#text[end] === '\n') {
        lines.push(this.#text.slice(start, end).replace(/\r$/, ''));
      }
      start = end + 1;
    }
    return lines;
  }

  #endFrom(start: number): number {
    const newline = this.#text.indexOf('\n', start);
    return newline < 0 ? this.#text.length : newline;
  }
}
