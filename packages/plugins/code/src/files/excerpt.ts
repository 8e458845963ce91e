import { readFile } from 'node:fs/promises';
import { decodeText } from './read-text.ts';

/** Longer lines are cut around the match, so that minified code can't fill an answer. */
export const MAX_LINE_CHARACTERS = 300;

export interface Excerpt {
  readonly text: string;
  readonly context: { readonly before: string[]; readonly after: string[] };
}

/** A file's lines; empty when it can't be read any more. */
export async function readLines(path: string): Promise<string[]> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  return (decodeText(bytes) ?? '').split(/\r?\n/);
}

/**
 * The line with what stands around it.
 * @param place `line` from 1, `column` in UTF-8 bytes from 1
 */
export function excerpt(
  lines: readonly string[],
  { line, column }: { line: number; column: number },
  contextLines: number,
): Excerpt {
  const at = line - 1;
  const cut = (text: string) => cutLine(text, 0);
  return {
    text: cutLine(lines[at] ?? '', column - 1),
    context: {
      before: lines.slice(Math.max(0, at - contextLines), at).map(cut),
      after: lines.slice(at + 1, at + 1 + contextLines).map(cut),
    },
  };
}

function cutLine(line: string, columnBytes: number): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const column = Buffer.from(line).subarray(0, columnBytes).toString().length;
  const start = Math.max(0, Math.min(column - 60, line.length - MAX_LINE_CHARACTERS));
  const part = line.slice(start, start + MAX_LINE_CHARACTERS);
  return `${start > 0 ? '…' : ''}${part}${start + part.length < line.length ? '…' : ''}`;
}
