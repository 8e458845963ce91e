import { isAscii } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1 << 20;
/** No line of ours is as long: what is goes on as a line of its own, which is none of a chain. */
const MAX_LINE_BYTES = 1 << 24;
const LINE_END = 0x0a;

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
    let bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    let filled = 0;
    let number = 0;
    for (;;) {
      const count = readSync(fd, bytes, filled, bytes.length - filled, null);
      if (count === 0) break;
      // Only what is new may end a line.
      const end = bytes.subarray(filled, filled + count).lastIndexOf(LINE_END);
      const wholeBytes = end < 0 ? 0 : filled + end;
      filled += count;
      if (end >= 0) {
        for (const text of textOf(bytes.subarray(0, wholeBytes)).split('\n')) {
          yield { text, number: ++number, isWhole: true };
        }
        bytes.copyWithin(0, wholeBytes + 1, filled);
        filled -= wholeBytes + 1;
      } else if (filled === MAX_LINE_BYTES) {
        yield { text: textOf(bytes), number: ++number, isWhole: true };
        filled = 0;
      } else if (filled === bytes.length) bytes = Buffer.concat([bytes], 2 * filled);
    }
    if (filled > 0) yield { text: textOf(bytes.subarray(0, filled)), number: ++number, isWhole: false };
  } finally {
    closeSync(fd);
  }
}

/** Most of a trail is ASCII, which is copied in a tenth of the time that UTF-8 is read in. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
