import type { WriteStream } from 'node:tty';
import { visibleLine } from '@nexus/untrusted/shown';
import { cut } from './fit.ts';
import { quietKeys } from './quiet-keys.ts';
import { shown } from './shown.ts';
import { isLive, windowSize } from './window-size.ts';

/** Shows progress while a person waits: one line that is overwritten on a terminal, lines elsewhere. */
export function progressLine(stream: WriteStream | NodeJS.WriteStream) {
  const keys = quietKeys();
  let isShown = false;
  return {
    /** @param report the params of a `notifications/progress` */
    show({ progress, total, message }: Readonly<Record<string, unknown>>): void {
      const isMeasured = typeof progress === 'number' && typeof total === 'number' && total > 0;
      const share = isMeasured ? ` ${Math.floor((progress / total) * 100)}%` : '';
      const line = `${typeof message === 'string' ? visibleLine(message) : 'running'}${share}`;
      if (isLive(stream)) {
        keys.begin();
        stream.write(`\r\x1b[2K${cut(line, windowSize(stream).columns - 1)}`);
        isShown = true;
      } else stream.write(`${shown(line, stream)}\n`);
    },
    clear(): void {
      keys.end();
      if (isShown) stream.write('\r\x1b[2K');
      isShown = false;
    },
  };
}
