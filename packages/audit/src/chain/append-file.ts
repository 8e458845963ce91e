import { closeSync, constants, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Lines at the end of a file that nobody else writes. */
export interface AppendFile {
  readonly size: number;
  /**
   * The whole line, or none of it.
   * @throws what the system says, such as ENOSPC
   */
  append(line: string): void;
  close(): void;
}

/** Makes the file, for its owner alone. */
export function openAppendFile(path: string): AppendFile {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  let size = 0;
  let isTorn = false;
  return {
    get size() {
      return size;
    },
    append(line) {
      // Half a line may stand there since a disk was full: the next begins where it began.
      if (isTorn) ftruncateSync(fd, size);
      isTorn = true;
      const bytes = Buffer.from(`${line}\n`);
      let written = 0;
      while (written < bytes.length) {
        written += writeSync(fd, bytes, written, bytes.length - written, size + written);
      }
      size += bytes.length;
      isTorn = false;
    },
    close: () => closeSync(fd),
  };
}
