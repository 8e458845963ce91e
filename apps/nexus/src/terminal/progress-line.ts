import type { WriteStream } from 'node:tty';
import type { ProgressUpdate } from '../client/rpc-client.ts';

/** Shows progress while a person waits: one line that is overwritten on a terminal, lines elsewhere. */
export function progressLine(stream: WriteStream | NodeJS.WriteStream) {
  let isShown = false;
  return {
    show({ progress, total, message }: ProgressUpdate): void {
      const share = total ? ` ${Math.floor((progress / total) * 100)}%` : '';
      const line = `${message ?? 'running'}${share}`;
      if (stream.isTTY) {
        stream.write(`\r\x1b[2K${line.slice(0, stream.columns - 1)}`);
        isShown = true;
      } else stream.write(`${line}\n`);
    },
    clear(): void {
      if (isShown) stream.write('\r\x1b[2K');
      isShown = false;
    },
  };
}
