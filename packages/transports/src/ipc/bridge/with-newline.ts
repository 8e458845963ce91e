import { Buffer } from 'node:buffer';

/** A copy, since the bytes of a line are lent only while it is read. */
export function withNewline(bytes: Buffer): Buffer {
  const line = Buffer.allocUnsafe(bytes.length + 1);
  bytes.copy(line);
  line[bytes.length] = 0x0a;
  return line;
}
