import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../vitest.characters.ts';
import { partOf } from './picking/part-of.ts';
import { writtenWholeOf } from './picking/whole-of.ts';
import { isWritten, parseUnrounded, parseWritten, writtenJson } from './written-json.ts';

const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,20}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''));
const text = fc
  .oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('1.10', '": 1e5, "', '\\'))
  .map((each) => JSON.stringify(each));
const json = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    number,
    text,
    fc.constantFrom('true', 'null'),
    fc.array(tie('any'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}[0-9.]{0,4}$/), tie('any')), {
        maxLength: 4,
        selector: ([key]) => key,
      })
      .map((members) => `{${members.map(([key, value]) => `"${key}":${value}`).join(',')}}`),
  ),
})).any;

it('JSON is written as it was read, each number by each digit', () => {
  fc.assert(
    fc.property(json, (written) => {
      // Texts and keys as JavaScript writes them, which is how they stand here.
      expect(writtenJson(parseWritten(written))).toBe(written);
    }),
    { numRuns: 1_000 },
  );
});

it('everything that is picked equals the whole', () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 1, maxLength: 4 }), (items) => {
      const whole = `{"rows":[${items.join(',')}]}`;
      const read = writtenWholeOf({ content: [{ type: 'text', text: whole }] });
      const part = partOf(read, { paths: ['rows[]'] });
      expect('value' in part && writtenJson(part.value)).toBe(whole);
    }),
    { numRuns: 300 },
  );
});

it('a structure is read by the text that says the same, where that has digits it has not', () => {
  const text = '{"id":9007199254740993,"price":1.10}';
  const structuredContent = JSON.parse(text);
  const said = { content: [{ type: 'text', text }], structuredContent };
  expect(writtenJson(writtenWholeOf(said))).toBe(text);
  const other = { content: [{ type: 'text', text: '{"id":9007199254740993}' }], structuredContent };
  expect(writtenWholeOf(other)).toEqual(structuredContent);
});

it('a number is no text whose lines are counted', () => {
  const read = parseWritten('{"id":1.10}');
  expect(isWritten(Object(read).id)).toBe(true);
  expect(partOf(read, { paths: [], limit: 1 })).toHaveProperty('fault');
});

it('what would be rounded is read as a text of all its digits, and nothing else', () => {
  expect(parseUnrounded('[9007199254740993,1.10,1e3,"9007199254740993",1e400]')).toEqual([
    '9007199254740993',
    1.1,
    1_000,
    '9007199254740993',
    '1e400',
  ]);
});
