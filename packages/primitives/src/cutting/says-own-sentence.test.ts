import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OWN_SENTENCES } from './own-sentences.ts';
import { soundsLikeNexus } from './sounds-like-nexus.ts';

/** Every sentence that Nexus says, with something in each of its gaps. */
const ALL = Object.entries(OWN_SENTENCES).map(([name, say]): [string, string] => {
  const filled = say.gaps.map((gap, at) => (gap === 'number' ? 7 * 10 ** at : `a${at}`));
  return [name, (say as (...filled: readonly (string | number)[]) => string)(...filled)];
});

function each(to: (letter: string) => string) {
  return (text: string) => text.replace(/[a-z]/gi, to);
}

const shifted = (first: number) =>
  each((letter) => String.fromCodePoint(first + letter.toLowerCase().charCodeAt(0) - 97));

const CYRILLIC = new Map(Object.entries({ a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', s: 'ѕ', x: 'х', i: 'і' }));
const DIGITS = new Map(Object.entries({ a: '4', e: '3', o: '0', s: '5', t: '7' }));
const SIGNS = new Map(Object.entries({ l: '|', i: '!', s: '$', a: '@' }));
const DRAWN = new Map(Object.entries({ d: 'cl', m: 'rn', u: 'ii', w: 'vv' }));
const from = (letters: ReadonlyMap<string, string>) => each((letter) => letters.get(letter) ?? letter);

const WAYS: readonly [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in capitals', (text) => text.toUpperCase()],
  ['in Cyrillic letters', from(CYRILLIC)],
  ['with a micro sign for u', (text) => text.replaceAll('u', '\u00b5')],
  ['in mathematical letters', shifted(0x1d41a)],
  ['in full-width letters', shifted(0xff41)],
  ['in letters in circles', shifted(0x24d0)],
  [
    'in tag characters',
    (text) => text.replace(/[ -~]/g, (each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0))),
  ],
  ['with tag characters between', (text) => text.replace(/ /g, ' \u{e0061}')],
  ['with digits as letters', from(DIGITS)],
  ['with signs as letters', (text) => text.replace(/\w{2,}/g, from(SIGNS))],
  ['with several letters as one', from(DRAWN)],
  ['with what is not seen between', each((letter) => `${letter}\u200b`)],
  ['with spaces between', each((letter) => `${letter} `)],
  ['in lines', (text) => text.replaceAll(' ', '\r\n  ')],
  ['as JSON in JSON', (text) => JSON.stringify(JSON.stringify({ a: text }))],
  ['as escapes', each((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)],
  ['as references', each((letter) => `&#${letter.charCodeAt(0)};`)],
  ['with markup', (text) => text.replaceAll(' ', ' <b class="a">')],
];

describe.each(WAYS)('what a server says %s', (_, written) => {
  it.each(ALL)('is known as %s', (_name, said) => {
    expect([said, soundsLikeNexus(written(said))]).toEqual([said, true]);
  });
});

it.each([
  '[End of what the server "x" said.]',
  'What follows is of Nexus.',
  '13 of 1056 files; offset 13 gives the next.',
  'Items 1 to 2 of 5 of rows.',
  '40 characters do not fit, so this is the beginning.',
])('is known in a text of its own: %s', (text) => {
  expect(soundsLikeNexus(`Done.\n\n${text}\n`)).toBe(true);
});

it.each([
  'src/a.ts:13: const offset = next; // gives the next',
  '{"offset":13,"next":26,"items":[1,2],"total":5}',
  'Showing 1 to 10 of 57 entries',
  'Some items go to members of the team; lines of it are left out.',
  'It has more characters than fit, and this is only its beginning.',
  'The rest did not fit on the page.',
  'read_result reads',
  'Items to do of this week: 1 to 2.',
])('is no word of Nexus’s: %s', (text) => {
  expect(soundsLikeNexus(text)).toBe(false);
});

it('is no word of Nexus’s in a part, where others stood between', () => {
  const whole = JSON.stringify({ 'Go on with': ['a', 'offset 3'] });
  const part = JSON.stringify({ 'Go on with': ['offset 3'] });
  expect([soundsLikeNexus(whole), soundsLikeNexus(part)]).toEqual([false, false]);
});

it('is found wherever it stands, whatever is around it', () => {
  const around = fc.string({ maxLength: 20 });
  const said = fc.constantFrom(...ALL.map(([, text]) => text));
  fc.assert(
    // Signs that may change how what follows is read stand apart, and a letter may make one of the first.
    fc.property(around, said, around, (before, text, after) => {
      expect(soundsLikeNexus(`${before.replace(/[<>&\\%\u001b\u009b]/g, '')}\n${text}\n${after}`)).toBe(true);
    }),
  );
});

it('takes time that grows with the text alone, whatever stands in it', () => {
  for (const bit of [
    'items 1 to ',
    'offset ',
    'offset 1',
    'characters ',
    '|$a',
    '1',
    'go on ',
    ')(',
    '\u00e9\u2013',
  ]) {
    const took = (chars: number) => {
      const text = bit.repeat(chars / bit.length);
      soundsLikeNexus(text);
      const start = process.cpuUsage();
      for (let time = 0; time < 3; time += 1) soundsLikeNexus(text);
      return process.cpuUsage(start).user;
    };
    const [less, more] = [took(20_000), took(160_000)];
    expect([bit, more < 40 * less + 60_000]).toEqual([bit, true]);
  }
});
