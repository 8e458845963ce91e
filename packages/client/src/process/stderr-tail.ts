import type { Readable } from 'node:stream';
import type { Mask } from '../mask-secrets.ts';

const MAX_LINES = 20;
const MAX_CHARACTERS = 4096;

export interface StderrTail {
  /** The last lines, masked, and how much was written before them; undefined when nothing was written. */
  text(): string | undefined;
}

/**
 * Reads a process's stderr to its end and keeps the last of it. Masked line by line, since in less than a
 * line a secret can't be told.
 * @param heard takes each line, masked, as it comes
 */
export function keepStderrTail(stderr: Readable, mask: Mask, heard: (line: string) => void): StderrTail {
  const kept: string[] = [];
  let characters = 0;
  let before = 0;
  let pending = '';

  function keep(line: string): void {
    const text = mask(line);
    heard(text);
    kept.push(text);
    characters += text.length;
    while (kept.length > 1 && (kept.length > MAX_LINES || characters > MAX_CHARACTERS)) {
      const { length } = kept.shift() ?? '';
      characters -= length;
      before += length + 1;
    }
  }

  function endLine(): void {
    if (pending.trim() !== '') keep(pending.trimEnd());
    pending = '';
  }

  stderr.setEncoding('utf8');
  stderr.on('data', (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\n');
    pending += first;
    for (const part of rest) {
      endLine();
      pending = part;
    }
    // A line without an end must not hold memory.
    if (pending.length > MAX_CHARACTERS) endLine();
  });
  stderr.on('end', endLine);
  stderr.on('error', endLine);

  return {
    text() {
      const lines = pending.trim() === '' ? kept : [...kept, mask(pending.trimEnd())];
      if (lines.length === 0) return undefined;
      const all = lines.join('\n');
      const tail = all.slice(-MAX_CHARACTERS);
      const left = before + all.length - tail.length;
      return left === 0 ? tail : `(${left} characters before) …${tail}`;
    },
  };
}
