import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWords } from './find-words.ts';
import { quotedPlaces, saysWords } from './quoted-places.ts';

const LINE = "args = args.slice(0, args.indexOf('--')); // ~0.0.1 --> >=0.0.1 <0.1.0-0";
const file = 'classes/range.js';
const looked = (line = LINE) => ({
  places: [{ file, from: 276, to: 276 }],
  windows: [{ file, from: 275, to: 277, text: `275\tfirst(a);\n276\t  ${line}\n277\tlast(b);` }],
});
const isQuoted = (text: string, line?: string) => quotedPlaces(text, looked(line)).length === 1;

const wrapped = (...marks: readonly string[]) =>
  fc.constantFrom(...marks).map((mark) => {
    const [before = '', after = ''] = mark.split('…');
    return (inner: string) => `${before}${inner}${after}`;
  });

/** How models write a place and the words of its line. */
const spelling = fc
  .record({
    before: fc.constantFrom('', 'It breaks the contract: ', 'See\n', 'One reads in '),
    lead: fc.constantFrom('', '- ', '* ', '1. ', '> ', '  - '),
    place: wrapped('…', '`…`', '**…**', '(…)', '[…](x)'),
    lines: fc.constantFrom(':276', '#L276', ':276-276', ':276:1'),
    between: fc.constantFrom(
      ': ',
      ' ',
      ' — ',
      ' says ',
      ' - ',
      ' reads: ',
      ':\n',
      '\n> ',
      '\n276\t',
      '\n276: ',
      '\n    ',
    ),
    words: wrapped('…', '`…`', '"…"', "'…'", '“…”', '‘…’', '«…»', '**…**', '\n```js\n…\n```\n'),
    after: fc.constantFrom('', '.', '\nwhich breaks it.', ', and nothing tests it', ' (so it is)'),
  })
  .map((spelt) => (words: string) => {
    const place = spelt.place(`${file}${spelt.lines}`);
    return `${spelt.before}${spelt.lead}${place}${spelt.between}${spelt.words(words)}${spelt.after}`;
  });

describe('a place with its words', () => {
  it('is read however either is written, and is none where other words are said to stand there', () => {
    fc.assert(
      fc.property(spelling, (spelt) => {
        expect(isQuoted(spelt(LINE))).toBe(true);
        expect(isQuoted(spelt(LINE.replaceAll('0', '7')))).toBe(false);
        expect(isQuoted(spelt('nothing that stands in this file'))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    'classes/range.js:276: // ~0.0.1 --> >=0.0.1 <0.1.0-0',
    "classes/range.js:276 says 'args.indexOf('--')'",
    '`args = args.slice` (classes/range.js:276)',
    'classes/range.js:275: first(a);',
    'The words are “last(b);” near classes/range.js:276',
  ])('is read by a part that says something, and by the lines beside it: %s', (text) => {
    expect(isQuoted(text)).toBe(true);
  });

  it.each([
    'classes/range.js:276',
    'classes/range.js:276 so — as is plain',
    'classes/range.js:276: --',
    'classes/range.js:276 `0.0.1`',
    'classes/range.js: args.indexOf',
  ])('is none without words, or with words that stand everywhere: %s', (text) => {
    expect(isQuoted(text)).toBe(false);
  });

  it('is read by short words where these are the whole line', () => {
    expect(isQuoted('classes/range.js:276: `i += 1`', 'i += 1')).toBe(true);
  });

  it('is looked for in linear time', () => {
    for (const text of ['`'.repeat(20_000), '\'"`“'.repeat(5_000), `${file}:276 `.repeat(500)]) {
      expect(isQuoted(text)).toBe(false);
    }
  });

  it('is told from a place alone by the marks around words', () => {
    expect(saysWords('it is at classes/range.js:276, as anybody sees')).toBe(false);
    expect(saysWords('`classes/range.js:276` says `words`')).toBe(true);
    expect(saysWords('`classes/range.js:276`')).toBe(false);
  });
});

it.each([
  ['const a =\n  1;\nconst b = 2;', 'const a = 1;', true],
  ['const a = 1;', 'const a =\n\t1;', true],
  ['const a = 1;', 'const b = 1;', false],
  ['it is so', 'it is', false],
  ['anything', '', false],
])('words stand in a text however they are broken, if they say something: %j, %j', (text, words, stand) => {
  expect(findWords(text, words, 1) !== undefined).toBe(stand);
});
