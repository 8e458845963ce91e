import { describe, expect, it } from 'vitest';
import { callArguments } from './call-arguments.ts';

describe('callArguments', () => {
  it.each([
    [[], {}],
    [['{"a": [1, "x"]}'], { a: [1, 'x'] }],
    [['query=two words', 'limit=5', 'exact=true'], { query: 'two words', limit: 5, exact: true }],
    [['ops=[{"tool":"x"}]', 'url=http://h/?a=b'], { ops: [{ tool: 'x' }], url: 'http://h/?a=b' }],
    [['id="5"', 'empty='], { id: '5', empty: '' }],
  ])('reads %j', (words, expected) => {
    expect(callArguments(words)).toEqual(expected);
  });

  it.each([
    [['query'], '"query" is neither key=value nor a JSON object'],
    [['=x'], '"=x" is neither key=value nor a JSON object'],
    [['{"a":'], 'the arguments are no JSON'],
  ])('refuses %j', (words, message) => {
    expect(() => callArguments(words)).toThrow(message);
  });
});
