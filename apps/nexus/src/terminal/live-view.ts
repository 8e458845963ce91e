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
  /** @param footer what holds only while it is drawn, such as how to end it */
  draw(lines: readonly string[], footer: string): void;
}

/** Of what is too high for the window its beginning and its last line, and an ellipsis between them. */
function inRows(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, Math.max(0, rows - 2)), '…', ...lines.slice(-1)];
}

/**
 * What was shown last stays on the terminal when the view ends: as lines like any other command's, without the footer, and
 * once, also where there is no second screen and the frame itself would stand above them.
 */
export function liveView(stream: WriteStream): LiveView {
  let last: readonly string[] = [];
  const keys = quietKeys();
  keys.begin();
  stream.write(ENTER);
  return {
    draw(drawn, footer) {
      last = drawn.map(visibleLine);
      const { columns, rows } = windowSize(stream);
      const shown = inRows(fold([...last, '', footer], columns), rows - 1).map((line) => cut(line, columns));
      const frame = shown.map((line) => `${line}${CLEAR_LINE_END}\n`).join('');
      stream.write(`${HOME}${frame}${CLEAR_BELOW}`);
    },
    [Symbol.dispose]() {
      keys.end();
      stream.write(`${HOME}${CLEAR_BELOW}${LEAVE}`);
      const { columns } = windowSize(stream);
      stream.write(
        fold(last, columns)
          .map((line) => `${line}\n`)
          .join(''),
      );
    },
  };
}
