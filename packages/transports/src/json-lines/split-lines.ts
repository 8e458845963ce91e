import { Buffer } from 'node:buffer';
import { ENVELOPE_BYTES } from './read-envelope.ts';

const NEWLINE = 0x0a;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const KEPT_CAPACITY_BYTES = 64 * 1024;

export interface LineHandlers {
  /** The bytes of one line without its newline; valid only during the call. */
  line(bytes: Buffer): void;
  /** A line over the limit has ended; only its beginning and end were kept. */
  overlong(head: Buffer, tail: Buffer): void;
}

/** Cuts a stream of bytes at newlines; holds at most `maxLineBytes` of a line that is not whole yet. */
export function createLineSplitter(maxLineBytes: number, handlers: LineHandlers) {
  // One growing buffer instead of a list of chunks: a list costs a hundred bytes for each byte when the
  // peer writes byte by byte, and doubling keeps the copying linear.
  let pending = Buffer.alloc(0);
  let pendingBytes = 0;
  let discarded: { head: Buffer; tail: Buffer } | undefined;
  let isFirst = true;

  function hold(part: Buffer): void {
    if (discarded) {
      discarded.tail = lastBytes(discarded.tail, part);
      return;
    }
    const total = pendingBytes + part.length;
    if (total > maxLineBytes) {
      const begun = pending.subarray(0, pendingBytes);
      const head = Buffer.concat([begun.subarray(0, ENVELOPE_BYTES), part]).subarray(0, ENVELOPE_BYTES);
      discarded = { head: Buffer.from(head), tail: lastBytes(begun, part) };
      forget();
      return;
    }
    if (total > pending.length) {
      const grown = Buffer.allocUnsafe(Math.min(maxLineBytes, Math.max(total, pending.length * 2)));
      pending.copy(grown, 0, 0, pendingBytes);
      pending = grown;
    }
    part.copy(pending, pendingBytes);
    pendingBytes = total;
  }

  function forget(): void {
    pendingBytes = 0;
    if (pending.length > KEPT_CAPACITY_BYTES) pending = Buffer.alloc(0);
  }

  function endLine(part: Buffer): void {
    if (pendingBytes === 0 && !discarded && part.length <= maxLineBytes) {
      emit(part);
      return;
    }
    hold(part);
    if (discarded) {
      const { head, tail } = discarded;
      discarded = undefined;
      handlers.overlong(head, tail);
      return;
    }
    emit(pending.subarray(0, pendingBytes));
    forget();
  }

  function emit(bytes: Buffer): void {
    const startsWithBom = isFirst && bytes.subarray(0, BOM.length).equals(BOM);
    isFirst = false;
    handlers.line(startsWithBom ? bytes.subarray(BOM.length) : bytes);
  }

  return {
    write(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        endLine(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) hold(chunk.subarray(start));
    },
    /** Input has ended: what is left is a line too. */
    end(): void {
      if (pendingBytes > 0 || discarded) endLine(Buffer.alloc(0));
    },
  };
}

function lastBytes(before: Buffer, part: Buffer): Buffer {
  if (part.length >= ENVELOPE_BYTES) return Buffer.from(part.subarray(-ENVELOPE_BYTES));
  return Buffer.concat([before.subarray(-ENVELOPE_BYTES), part]).subarray(-ENVELOPE_BYTES);
}
