import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonBlocks } from './json-blocks.ts';

it.each([
  ['a heading and JSON', 'Rows:\n{"a":[1,"}"]}\nThat is all.', ['{"a":[1,"}"]}']],
  ['fences', '```json\n[\n 1\n]\n```\nand\n```\n{"b":"\\""}  \n```', ['[\n 1\n]', '{"b":"\\""}']],
  ['a label', 'rows: [1]\nnames: {"x": 2}', ['[1]', '{"x": 2}']],
  ['prose', 'see [1] for {more}\n[INFO] started\n{ not: json }\n[', []],
  ['JSON after what only begins so', '[INFO] x\n{"a": broken\n[2]', ['[2]']],
  ['JSON after three that nothing closes', `${'[\n'.repeat(3)}{"a":1}`, ['{"a":1}']],
  ['JSON after four that nothing closes, which are too many', `${'[\n'.repeat(4)}{"a":1}`, []],
  ['JSON after many that only look so', `${'see {a}\n'.repeat(100)}[1]`, ['[1]']],
  ['JSON that goes on behind its end', '{"a":\n1} and\n[2]\n', ['[2]']],
  ['JSON beside JSON', '[1]\n[2]  \n\n[3]', ['[1]', '[2]', '[3]']],
  ['JSON that is nested too deep', `${'['.repeat(1_001)}${']'.repeat(1_001)}\n[1]`, ['[1]']],
  ['JSON behind what only looks so on its line', 'see {a} [1]', []],
  ['JSON on a line of what only looks so', '{bad\n[2]\n}', ['[2]']],
  ['JSON with a character behind it', 'a [1]x', []],
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
  expect(performance.now() - begin).toBeLessThan(20_000);
});
