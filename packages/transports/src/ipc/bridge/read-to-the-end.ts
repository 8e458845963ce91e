import { Buffer } from 'node:buffer';
import { readSync } from 'node:fs';
import type { Socket } from 'node:net';

const CHUNK_BYTES = 64 * 1024;

/**
 * Takes what comes by a socket, and what its peer had written before it went also where it is a write that finds it gone.
 * Node destroys a socket by a failed write, and drops what lies unread in the system: an answer that had come. On Windows
 * it stays so, where a pipe has no number to read it by.
 */
export function readToTheEnd(socket: Socket, take: (chunk: Buffer) => void): void {
  socket.on('data', take);
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    // Nothing more comes of a peer that is gone: what it wrote is all there by now.
    if (isOfWrite(error) && !socket.destroyed) {
      // Not every version of Node tells a listener of what is read from a stream that failed.
      socket.off('data', take);
      for (const chunk of unread(socket)) take(chunk);
    }
    return destroy(error);
  };
}

function isOfWrite(error: (Error & { readonly syscall?: unknown }) | undefined): boolean {
  return error?.syscall === 'write';
}

function* unread(socket: Socket): Iterable<Buffer> {
  for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) yield chunk;
  // Of no documented name; without one nothing is read.
  const { _handle: handle } = socket as { readonly _handle?: { readonly fd?: number } | null };
  const fd = handle?.fd ?? -1;
  while (fd >= 0) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSome(fd, chunk);
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

/** @returns 0 at the end, and where no more can be read */
function readSome(fd: number, into: Buffer): number {
  try {
    return readSync(fd, into);
  } catch {
    // EAGAIN where the peer is there all the same, or the system’s word that it is not: the write has failed for that.
    return 0;
  }
}
