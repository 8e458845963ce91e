import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const CHUNK_BYTES = 1 << 20;
/** No line of ours is as long: what is goes on as a line of its own, which is none of a chain. */
const MAX_LINE_CHARS = 1 << 22;

export interface FileLine {
  readonly text: string;
  /** From 1 on, in its file. */
  readonly number: number;
  /** False for what stands after the last line end: its writer was ended within it. */
  readonly isWhole: boolean;
}

/** The lines of a file, in memory of one chunk and one line. */
export function* linesOf(file: string): Generator<FileLine, void> {
  const fd = openSync(file, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    let number = 0;
    for (;;) {
      const count = readSync(fd, chunk, 0, CHUNK_BYTES, null);
      if (count === 0) break;
      const parts = (rest + decoder.write(chunk.subarray(0, count))).split('\n');
      rest = parts.pop() ?? '';
      if (rest.length > MAX_LINE_CHARS) parts.push(rest.slice(0, MAX_LINE_CHARS));
      if (rest.length > MAX_LINE_CHARS) rest = '';
      for (const text of parts) yield { text, number: ++number, isWhole: true };
    }
    rest += decoder.end();
    if (rest !== '') yield { text: rest, number: ++number, isWhole: false };
  } finally {
    closeSync(fd);
  }
}
