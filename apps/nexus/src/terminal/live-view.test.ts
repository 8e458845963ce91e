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
    view.draw(lines, 'Ctrl-C ends');
    return text
      .slice(text.indexOf('\x1b[H') + 3, text.indexOf('\x1b[J'))
      .split('\x1b[K\n')
      .slice(0, -1);
  };
  expect(draw(['1', '2'])).toEqual(['1', '2', '', 'Ctrl-C ends']);
  expect(draw(['1', '2', '3'])).toEqual(['1', '2', '…', 'Ctrl-C ends']);
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
      view.draw([prose, command], 'Ctrl-C ends');
    }
    const frame = text.slice(text.indexOf('\x1b[H') + 3, text.indexOf('\x1b[J'));
    const rows = frame.split('\x1b[K\n').filter(Boolean);
    expect(rows.every((row) => row.length <= columns && !row.includes('…'))).toBe(true);
    const whole = (lines: readonly string[]) => lines.map((row) => row.replace(/ \\$/, '').trim()).join(' ');
    expect(whole(rows)).toBe(`${prose} ${command.trim()} Ctrl-C ends`);
    // What stays is broken as the frame was, and says nothing of a view that is over.
    const [drawn = '', left = ''] = text.split('\x1b[?25h\x1b[?1049l');
    expect(drawn.endsWith('\x1b[H\x1b[J')).toBe(true);
    const stays = left.split('\n').filter(Boolean);
    expect(stays.every((row) => row.length <= columns)).toBe(true);
    expect(whole(stays)).toBe(`${prose} ${command.trim()}`);
  },
);
