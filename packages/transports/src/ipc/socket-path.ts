import { Buffer } from 'node:buffer';
import { posix } from 'node:path';
import { SharingError } from './sharing-error.ts';

/** macOS takes 103 bytes; Node 20 cuts a longer path silently and would listen for another project. */
const MAX_SOCKET_PATH_BYTES = 103;

/** @throws {SharingError} when the path is too long for a socket */
export function unixSocketPath(folder: string, hash: string, unique: string): string {
  const path = posix.join(folder, `${hash}.${unique}.sock`);
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new SharingError(
      `The socket path ${path} has ${bytes} bytes, and a local socket may have ${MAX_SOCKET_PATH_BYTES}. Set NEXUS_RUNTIME_DIR to a shorter folder, or use --standalone.`,
    );
  }
  return path;
}

/** A named pipe lives in no folder: its unguessable name is what the pointer file keeps. */
export function windowsPipeName(hash: string, unique: string): string {
  return `\\\\.\\pipe\\nexus-${hash}-${unique}`;
}
