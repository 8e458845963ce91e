import { expect, it } from 'vitest';
import { logLine } from './log-line.ts';

const record = {
  level: 40,
  time: '2026-11-22T12:03:59.123Z',
  pid: 1,
  server: 'github',
  attempts: 2,
  err: { type: 'Error', message: 'connect ECONNREFUSED', stack: 'Error: …\n    at x' },
  msg: 'a server is gone',
};

it('is one line with the time, the level, what happened, its fields and the error’s words', () => {
  expect(logLine(record, { hasColour: false })).toBe(
    '12:03:59 warn  a server is gone  server=github  attempts=2  (connect ECONNREFUSED)',
  );
});

it('colours the level alone', () => {
  expect(logLine(record, { hasColour: true })).toMatch(/^12:03:59 \u001b\[33mwarn \u001b\[39m a server/);
});

it('lets nothing that was logged steer the terminal or begin a line', () => {
  const hostile = { ...record, msg: 'a\u001b[2Jb\nc', server: '\u001b]0;title\u0007x' };
  expect(logLine(hostile, { hasColour: false })).not.toMatch(/\p{Cc}/u);
});
