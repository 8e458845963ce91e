import type { WriteStream } from 'node:tty';
import { visibleLine } from '@nexus/untrusted/shown';
import { cut, fold } from './fit.ts';
import { quietKeys } from './quiet-keys.ts';
import { windowSize } from './window-size.ts';

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

/** A screen of its own that is drawn over and over; what was on the terminal before comes back. */
export interface LiveView extends Disposable {
  draw(lines: readonly string[]): void;
}

/** Of what is too high for the window its beginning and its last line, and an ellipsis between them. */
function inRows(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, Math.max(0, rows - 2)), '…', ...lines.slice(-1)];
}

/** The last frame stays on the terminal when the view ends. */
export function liveView(stream: WriteStream): LiveView {
  let last: readonly string[] = [];
  const keys = quietKeys();
  keys.begin();
  stream.write(ENTER);
  return {
    draw(drawn) {
      const lines = drawn.map(visibleLine);
      last = lines;
      const { columns, rows } = windowSize(stream);
      const shown = inRows(fold(lines, columns), rows - 1).map((line) => cut(line, columns));
      const frame = shown.map((line) => `${line}${CLEAR_LINE_END}\n`).join('');
      stream.write(`${HOME}${frame}${CLEAR_BELOW}`);
    },
    [Symbol.dispose]() {
      keys.end();
      stream.write(LEAVE);
      for (const line of last) stream.write(`${line}\n`);
    },
  };
}
