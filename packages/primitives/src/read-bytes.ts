import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

/**
 * A name that leads to a pipe or a device, or to one since it was looked at, must not hold the reader,
 * and a link put in a file's place must not lead out of the roots.
 */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A file's content and what the system says of it, as of one opening. */
export interface FileBytes {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Why a file has no bytes to read. */
export type Unreadable = 'no regular file' | { readonly tooLargeBytes: number };

/**
 * All of a regular file that has at most `maxBytes`, even if it grows meanwhile.
 * @param path real: a symlink at its end is refused
 * @throws the system's error when it is gone or not permitted
 */
export function readBytesSync(path: string, maxBytes: number): FileBytes | Unreadable {
  // A device may do something when it is opened.
  if (!lstatSync(path).isFile()) return 'no regular file';
  const fd = openSync(path, FLAGS);
  try {
    const stats = fstatSync(fd);
    const refused = refusal(stats, maxBytes);
    if (refused) return refused;
    const bytes = Buffer.allocUnsafe(stats.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(fd, bytes, length, bytes.length - length, null);
    }
    return { bytes: bytes.subarray(0, length), stats };
  } finally {
    closeSync(fd);
  }
}

/** As {@link readBytesSync}, off this thread. */
export async function readBytes(path: string, maxBytes: number): Promise<FileBytes | Unreadable> {
  if (!(await lstat(path)).isFile()) return 'no regular file';
  const handle = await open(path, FLAGS);
  try {
    const stats = await handle.stat();
    return refusal(stats, maxBytes) ?? { bytes: await readAll(handle, stats.size), stats };
  } finally {
    await handle.close();
  }
}

/** What lies where a file is to be read is none, or is larger than anybody would write it. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  /** After the name of the file. */
  readonly fault: string;

  constructor(path: string, fault: string) {
    super(`${path} ${fault}`);
    this.fault = fault;
  }
}

/**
 * The text of a file that others may have written, wherever its links lead.
 * @throws {UnreadableFileError} for what is no regular file or has more than `maxBytes`; the system's error when it is
 * gone or not permitted
 */
export function readTextSync(path: string, maxBytes: number): string {
  // Node’s own takes `..` after a link as text does, and not as the system that opens the file.
  const read = readBytesSync(realpathSync.native(path), maxBytes);
  if (read === 'no regular file') {
    throw new UnreadableFileError(path, 'is no regular file, nor a link to one; remove or replace it');
  }
  if ('tooLargeBytes' in read) {
    throw new UnreadableFileError(path, `has ${read.tooLargeBytes} bytes, and at most ${maxBytes} are read`);
  }
  return read.bytes.toString('utf8');
}

function refusal(stats: Stats, maxBytes: number): Unreadable | undefined {
  if (!stats.isFile()) return 'no regular file';
  return stats.size > maxBytes ? { tooLargeBytes: stats.size } : undefined;
}

async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read) {
    read = (await handle.read(bytes, length, size - length, null)).bytesRead;
  }
  return bytes.subarray(0, length);
}
