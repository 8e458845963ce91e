import { expect, it } from 'vitest';
import { doubledKey } from './doubled-key.ts';

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":[{"c":1},{"c":1,"c":2}]}}', 'a.b.1.c'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":{"x":1},"b":{"x":1}}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":"b","b":"a:b"}', undefined],
  ['{"a":"\\"a\\":1"}', undefined],
  ['"a"', undefined],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['no JSON: "a": "a": ]]', undefined],
])('finds the key that an object has twice in %s', (text, expected) => {
  expect(doubledKey(text)).toBe(expected);
});

it('says nothing of a key that is not meant', () => {
  const text = '{"a":{"b":1,"b":2},"c":{"d":1,"d":2}}';
  expect(doubledKey(text, (path) => path.startsWith('c.'))).toBe('c.d');
});
