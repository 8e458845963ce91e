import { expect, it } from 'vitest';
import { splitCommand } from './split-command.ts';

it.each([
  ['node server.js', ['node', 'server.js']],
  ['  npx  -y "my server" \'a b\' ', ['npx', '-y', 'my server', 'a b']],
  ['a\\ b "c\\"d" \'e\\f\'', ['a b', 'c"d', 'e\\f']],
  ['x ""', ['x', '']],
  ['', []],
])('reads %s', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});

it('says so of a quote without its end', () => {
  expect(() => splitCommand('a "b')).toThrow('has no end');
});
