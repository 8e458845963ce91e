import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonBlocks } from './json-blocks.ts';

it.each([
  ['a heading and JSON', 'Rows:\n{"a":[1,"}"]}\nThat is all.', ['{"a":[1,"}"]}']],
  ['fences', '```json\n[\n 1\n]\n```\nand\n```\n{"b":"\\""}  \n```', ['[\n 1\n]', '{"b":"\\""}']],
  ['a label', 'rows: [1]\nnames: {"x": 2}', ['[1]', '{"x": 2}']],
  ['prose', 'see [1] for {more}\n[INFO] started\n{ not: json }\n[', []],
  ['JSON after what only begins so', '[INFO] x\n{"a": broken\n[2]', ['[2]']],
  ['JSON within a line', 'key ({"type":"note"}): text', []],
])('finds what is JSON, and no more, in %s', (_, text, found) => {
  expect(jsonBlocks(text).map(({ from, to }) => text.slice(from, to))).toEqual(found);
});

it('reads what it finds, each number as it was written', () => {
  const json = fc.oneof(fc.array(fc.jsonValue({ maxDepth: 3 })), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(fc.array(json, { maxLength: 4 }), fc.constantFrom(0, 2), (values, indent) => {
      const text = values.map((value) => `So:\n${JSON.stringify(value, null, indent)}\n`).join('');
      const blocks = jsonBlocks(text).map(({ from, to }) => JSON.parse(text.slice(from, to)));
      expect(JSON.stringify(blocks)).toBe(JSON.stringify(values));
    }),
  );
});

it.each([
  ['brackets that nothing closes', '[\n'.repeat(300_000)],
  ['quotes that nothing closes', '{"\n'.repeat(200_000)],
  ['lines that only begin like JSON', '[a\n'.repeat(200_000)],
])('takes no longer than its text is long for %s', (_, text) => {
  const begin = performance.now();
  expect(jsonBlocks(text)).toEqual([]);
  expect(performance.now() - begin).toBeLessThan(2_000);
});
