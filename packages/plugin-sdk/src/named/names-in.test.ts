import { describe, expect, it } from 'vitest';
import { namesIn } from './names-in.ts';

const told = (text: string) =>
  namesIn(text).map(({ name, line, endLine, from, to }) =>
    [name, line, endLine, text.slice(from, to)].filter((each) => each !== undefined).join(' '),
  );

describe('the names in a text', () => {
  it.each([
    ['a file with a folder', 'See src/basket.ts for it.', ['src/basket.ts src/basket.ts']],
    ['one at the end of a sentence', 'It is in src/basket.ts.', ['src/basket.ts src/basket.ts']],
    ['a document in prose', 'Add it to CHANGELOG.md.', ['CHANGELOG.md CHANGELOG.md']],
    ['a file as code', 'See `basket.ts` for it.', ['basket.ts `basket.ts`']],
    ['a line', 'At `src/a.ts:12` and b.ts:3.', ['src/a.ts 12 `src/a.ts:12`', 'b.ts 3 b.ts:3']],
    [
      'a range',
      'At src/a.ts:12-14, src/b.ts#L3-L5.',
      ['src/a.ts 12 14 src/a.ts:12-14', 'src/b.ts 3 5 src/b.ts#L3-L5'],
    ],
    [
      'lines in words',
      'src/a.ts (lines 3-5), `src/b.ts`, line 7, lines 2 to 4 of src/c.ts and line 1 in `src/d.ts`.',
      [
        'src/a.ts 3 5 src/a.ts (lines 3-5)',
        'src/b.ts 7 `src/b.ts`, line 7',
        'src/c.ts 2 4 src/c.ts',
        'src/d.ts 1 `src/d.ts`',
      ],
    ],
    [
      'lines of nothing',
      'src/a.ts. Line 3 and lines of src/b.ts.',
      ['src/a.ts src/a.ts', 'src/b.ts src/b.ts'],
    ],
    ['a link', '[here](src/a.ts#L2)', ['src/a.ts 2 src/a.ts#L2']],
    ['a function', '`sumOf()` and `Basket.total` add.', ['sumOf `sumOf()`', 'total `Basket.total`']],
    ['one in bold', '**src/a.ts:2**', ['src/a.ts 2 src/a.ts:2']],
    [
      'what prose calls',
      'See sumOf(), Basket.total(), **keyOf()** and _keyOf()_.',
      ['sumOf sumOf()', 'total Basket.total()', 'keyOf keyOf()', 'keyOf keyOf()'],
    ],
  ])('are %s', (_, text, names) => {
    expect(told(text)).toEqual(names);
  });

  it.each([
    ['prose', 'And/or, e.g. this: version 1.2.3, a.k.a. that (or so) and socket.io().'],
    ['what is called elsewhere', 'https://x.org/sumOf() and new:sumOf(), new: keyOf() and new: `sumOf()`.'],
    ['an address', 'See https://example.com/src/a.ts:3 and file:///x/y.ts.'],
    ['code in a fence', 'So:\n```ts\nimport x from "./src/a.ts";\n```\nand\n~~~\nsrc/b.ts\n~~~'],
    ['a fence that is not closed', 'So:\n```ts\nsrc/a.ts'],
    ['a file that is to be made', 'Add new:src/a.ts, `new:src/b.ts` and new: `src/c.ts`.'],
    ['an ordinary word as code', '`true`, `null`, `npm test`, `basket`'],
    ['an ending', 'All `.ts` files'],
  ])('are none in %s', (_, text) => {
    expect(told(text)).toEqual([]);
  });

  it('may be bare names of files, of which the project says whether they are', () => {
    const names = namesIn('Does Node.js run index.js, or `main.py`, and go.mod.ts:3?');
    expect(names.map(({ name, isBare }) => [name, isBare])).toEqual([
      ['Node.js', true],
      ['index.js', true],
      ['main.py', undefined],
      ['go.mod.ts', undefined],
    ]);
  });

  it.each([
    [
      'of the language',
      'It calls `Math.trunc()`, `Number.isInteger()`, Object.hasOwn() and isNaN(), not sumOf().',
    ],
    ['of a value', "It asks `text.includes('.')` and `val.toFixed(2)`, not sumOf()."],
    ['what is printed', 'It prints `NaNconstructor`, or returns `someText` and `oneKB`, not sumOf().'],
    ['what is printed at a place', 'index.js:3 prints `NaNconstructor` and returns `someText`, not sumOf().'],
    ['what prose calls with values', "Why is sum(1048576) not max('a', -1), and not sumOf()?"],
  ])('do not say to be of the project where they are %s', (_, text) => {
    const symbols = namesIn(text).filter(({ kind }) => kind === 'symbol');
    expect(symbols.length).toBeGreaterThan(2);
    expect(symbols.filter(({ isBare }) => !isBare).map(({ name }) => name)).toEqual(['sumOf']);
  });

  it('say so where a place or what it is called says it, or a class has it', () => {
    const text =
      'See `unitOf` in src/units.ts.\nThe function `formatKey` does it, as `Basket.includes()`.\nAnd `someText`.';
    const said = namesIn(text).filter(({ kind, isBare }) => kind === 'symbol' && !isBare);
    expect(said.map(({ name }) => name)).toEqual(['unitOf', 'formatKey', 'includes']);
  });

  it('are no words with brackets behind', () => {
    expect(namesIn('The file(s), section(a) and unit (2) of it(1) or sum(of all).')).toEqual([]);
  });

  it('are found in a text that was made to hold whoever reads it', () => {
    const hard = ['a/', '`', 'a.', '```\n', 'a.ts:', '`a.', 'a.', 'a()', '_()', 'f(1, ', "f('", '`aB` '].map(
      (part) => part.repeat(100_000),
    );
    // What is more than linear would not come to its end here.
    for (const text of hard) expect(namesIn(text).length).toBeLessThanOrEqual(200);
  });

  it('are the first two hundred of the first 200 000 characters', () => {
    const many = Array.from({ length: 300 }, (_, index) => `src/f${index}.ts and \`sumOf${index}()\``);
    const found = namesIn(many.join('\n'));
    expect(found.map(({ name }) => name)).toEqual(
      Array.from({ length: 100 }, (_, index) => [`src/f${index}.ts`, `sumOf${index}`]).flat(),
    );
    expect(namesIn(`src/a.ts ${' '.repeat(200_000)} src/b.ts`).map(({ name }) => name)).toEqual(['src/a.ts']);
  });
});
