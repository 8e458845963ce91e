import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseJson } from './parse-json.ts';

it('reads what JSON can say as the YAML parser does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it.each([
  '{"a": 1, "a": 2}',
  '{"a": [{"b": {}, "b": {}}]}',
  '{"a":1,"\\u0061":2}',
  '{"__proto__":1,"__proto__":2}',
])('leaves a key that comes twice to the YAML parser, which names it: %s', (text) => {
  expect(parseJson(text)).toBeUndefined();
  expect(() => parse(text, { uniqueKeys: true })).toThrow('unique');
});

it.each(['a: 1', '{"a": 1,}', '// no\n{}', ''])('leaves what is no JSON to it: %j', (text) => {
  expect(parseJson(text)).toBeUndefined();
});

it.each(['{"a\\":": "\\": "}', '{"a": "b\\\\", "c": {"d:": []}}'])('is not misled by texts: %s', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});
