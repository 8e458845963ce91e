import type { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { liveView } from './live-view.ts';

it('says by an ellipsis that a window is too low, and keeps the last line', () => {
  let text = '';
  const write = (part: string) => {
    text += part;
    return true;
  };
  const stream = { isTTY: true, columns: 60, rows: 5, write } as unknown as WriteStream; // what the view needs of it
  const draw = (lines: readonly string[]) => {
    using view = liveView(stream);
    text = '';
    view.draw(lines);
    return text
      .slice(text.indexOf('\x1b[H') + 3, text.indexOf('\x1b[J'))
      .split('\x1b[K\n')
      .slice(0, -1);
  };
  expect(draw(['1', '2', '3', 'Ctrl-C ends'])).toEqual(['1', '2', '3', 'Ctrl-C ends']);
  expect(draw(['1', '2', '3', '4', 'Ctrl-C ends'])).toEqual(['1', '2', '…', 'Ctrl-C ends']);
});

it.each([60, 100])(
  'breaks prose between words in %i columns, and a command so that it can be pasted',
  (columns) => {
    let text = '';
    const write = (part: string) => {
      text += part;
      return true;
    };
    const stream = { isTTY: true, columns, rows: 20, write } as unknown as WriteStream; // what the view needs of it
    const prose =
      'No tasks yet. An agent submits one with the tool submit_task, or you do this on a command line:';
    const command = `  nexus call submit_task title='Review the README' payload='{"file": "README.md", "lines": 100}'`;
    {
      using view = liveView(stream);
      view.draw([prose, command]);
    }
    const frame = text.slice(text.indexOf('\x1b[H') + 3, text.indexOf('\x1b[J'));
    const rows = frame.split('\x1b[K\n').filter(Boolean);
    expect(rows.every((row) => row.length <= columns && !row.includes('…'))).toBe(true);
    expect(rows.map((row) => row.replace(/ \\$/, '').trim()).join(' ')).toBe(`${prose} ${command.trim()}`);
  },
);
