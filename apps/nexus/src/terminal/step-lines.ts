import { visibleLine } from '@nexus/untrusted/shown';
import { windowSize } from './window-size.ts';

type Stream = Pick<NodeJS.WriteStream, 'write'> & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/**
 * Shows steps while a person waits: on a terminal one line for each, which tells what it does now; elsewhere a
 * line for each report. A report is `<step>: <what it does>`, or a step of its own.
 */
export function stepLines(stream: Stream) {
  const steps = new Map<string, string>();
  let drawn = 0;

  function draw(): void {
    const { columns, rows } = windowSize(stream);
    const lines = [...steps.values()].slice(-Math.max(1, rows - 2)).map((line) => line.slice(0, columns - 1));
    const up = drawn > 0 ? `\x1b[${drawn}A` : '';
    stream.write(`${up}${lines.map((line) => `\r\x1b[2K${line}\n`).join('')}\x1b[J`);
    drawn = lines.length;
  }

  return {
    show(message: string): void {
      // What a model named is no control sequence of this terminal.
      const line = visibleLine(message.replace(/\s+/g, ' ').trim());
      if (line === '') return;
      if (!stream.isTTY) {
        stream.write(`${line}\n`);
        return;
      }
      const parts = line.split(': ');
      steps.set(parts.length > 1 ? parts.slice(0, -1).join(': ') : line, line);
      draw();
    },
    /** The lines stay as they are. */
    end(): void {
      steps.clear();
      drawn = 0;
    },
  };
}
