import { expect, it } from 'vitest';
import { table } from './table.ts';

it('makes each column as wide as its widest cell', () => {
  const rows = [
    ['z.ai1', '2'],
    ['reviewer', '10'],
  ];
  expect(table(['NAME', 'UNREAD'], rows)).toEqual(['NAME      UNREAD', 'z.ai1     2', 'reviewer  10']);
});

it('lets no text of an agent steer the terminal', () => {
  expect(table(['TITLE'], [['\x1b[2Jgone\x1b]0;title\x07\r\nnext\x9b31m']])[1]).toBe(
    '\\u001b[2Jgone\\u001b]0;title\\u0007\\r\\nnext\\u009b31m',
  );
});
