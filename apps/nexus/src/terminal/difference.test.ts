import { expect, it } from 'vitest';
import { differenceLines } from './difference.ts';

it.each([
  ['a text', 'old', 'new', ['- old', '+ new']],
  ['one line of several', 'a\nb\nc', 'a\nB\nc', ['- b', '+ B']],
  ['a line more', 'a\nb', 'a\nx\nb', ['+ x']],
  ['a member of an object', { a: 1, b: 2 }, { a: 1, b: 3 }, ['-   "b": 2', '+   "b": 3']],
  ['what was not there', undefined, 'new', ['+ new']],
  ['what is gone', 'old', undefined, ['- old']],
  ['nothing', 'a', 'a', []],
  ['text that would steer the terminal', 'a', 'a\u001b[2Jb', ['- a', '+ a\\u001b[2Jb']],
])('shows %s', (_what, before, after, lines) => {
  expect(differenceLines(before, after)).toEqual(lines);
});
