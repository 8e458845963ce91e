import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../vitest.characters.ts';
import {
  visibleContent,
  visibleJson,
  visibleLine,
  visibleName,
  visibleStart,
  visibleText,
  visibleToolName,
  visibleWord,
} from './visible.ts';

/** Nothing of it acts on a terminal, hides, or passes for something else. */
const PLAIN =
  /^[^\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u2800\u00a0]*$/u;

/** Texts made of what attackers use, between what people write. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[31m',
        '\u001b]0;title\u0007',
        '\u009b2J',
        '\u009d0;./x\u009c',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u200d',
        '\u00ad',
        '\ufeff',
        '\u2028',
        '\u3164',
        '\u115f',
        '\u034f',
        '\u2800',
        '\u00a0',
        '\ud800',
        '\u{e0041}',
        '\u{f0000}',
        '\u{e0100}',
        '\ufe0f',
        '\r',
        '\n',
        '\t',
        '\b',
        '\u007f',
        '"',
        '\\',
        "'",
        '`',
        '$(x)',
        ';',
        'true',
      ),
      fc.string({ unit: anyCharacter, maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('foreign text for people', () => {
  it.each([
    ['\u009b]0;./x/evil;\u009c', '\\u009b]0;./x/evil;\\u009c'],
    ['\u001b[2Jgone', '\\u001b[2Jgone'],
    ['a\u202eb\u2066c\u061c', 'a\\u202eb\\u2066c\\u061c'],
    ['ev\u200bil\u00ad\ufeff', 'ev\\u200bil\\u00ad\\ufeff'],
    ['one\ntwo\tthree\r', 'one\\ntwo\\tthree\\r'],
    ['a\u00a0b\u3000c', 'a\\u00a0b\\u3000c'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['half \ud83d', 'half \\ud83d'],
    ['Grüße, 世界, नमस्ते, 👍🏽 ⚠️ 👩‍💻', 'Grüße, 世界, नमस्ते, 👍🏽 ⚠️ 👩‍💻'],
    ['a\u200d💻', 'a\\u200d💻'],
  ])('shows %j as a line in which nothing acts and nothing is missing', (text, shown) => {
    expect(visibleLine(text)).toBe(shown);
  });

  it('says how much of it is left out', () => {
    expect(visibleStart('x'.repeat(12), 10)).toBe(`${'x'.repeat(10)}… (2 more characters)`);
    expect(visibleStart('x'.repeat(10), 10)).toBe('x'.repeat(10));
  });

  it('keeps the lines of a text', () => {
    expect(visibleText('a\r\nb\tc\rd\u0085')).toBe('a\nb\tc\\u000dd\\u0085');
  });

  it.each(['x', 'npm:run@1.2', './a/b_c-d.sh', '{$HOME}/*', 'A=1,2+3%'])('keeps the word %s bare', (word) => {
    expect(visibleWord(word)).toBe(word);
  });

  it.each(['', 'two words', ' x', 'x ', 'x;y', '"x"'])('quotes %j, which could be taken for more', (word) => {
    expect(visibleWord(word)).toBe(JSON.stringify(word));
  });

  it.each(['notes', 'my notes.txt', 'a,b/c d', 'a"b'])('keeps the name %j bare', (name) => {
    expect(visibleName(name)).toBe(name);
  });

  it.each([
    ['', '""'],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['a  b', '"a  b"'],
    ['"a"', String.raw`"\"a\""`],
    ['a:1', '"a:1"'],
    ['a, b', '"a, b"'],
    ['a\nb', String.raw`"a\nb"`],
    ['a\u202eb', String.raw`"a\u202eb"`],
  ])('quotes the name %j, beside others', (name, shown) => {
    expect(visibleName(name)).toBe(shown);
  });

  it('keeps a line of a file but for what is no part of a line, or steers', () => {
    expect(visibleContent('\ta\u00a0b \u200b👍🏽')).toBe('\ta\u00a0b \u200b👍🏽');
    expect(visibleContent('a\rb\nc\u2028d\u2029e')).toBe(String.raw`a\rb\nc\u2028d\u2029e`);
    expect(visibleContent('\u001b[2J\u009b\u202ax\u202e\u2066y\u2069')).toBe(
      String.raw`\u001b[2J\u009b\u202ax\u202e\u2066y\u2069`,
    );
  });

  it('says of nothing that it is nothing', () => {
    expect(visibleJson(undefined)).toBe('undefined');
    expect(visibleJson(null)).toBe('null');
  });

  it.each([
    ['add_note', 'add_note'],
    ['a.b/C-3', 'a.b/C-3'],
    ['a'.repeat(128), 'a'.repeat(128)],
    ['', '""'],
    ['add note', '"add note"'],
    [' add_note', '" add_note"'],
    ['add_note. Nexus: call it', '"add_note. Nexus: call it"'],
    ['ä', '"ä"'],
  ])('shows a tool’s name bare where it is one, else in quotes: %j', (name, shown) => {
    expect(visibleToolName(name)).toBe(shown);
  });

  it('cuts what is too long for a tool’s name, and says so', () => {
    expect(visibleToolName('a'.repeat(129))).toMatch(/^"a{30,40}\W.{1,30}"$/);
  });

  it('is plain whatever it is made of', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(visibleLine(text)).toMatch(PLAIN);
        expect(visibleJson(text)).toMatch(PLAIN);
        expect(visibleWord(text)).toMatch(PLAIN);
      }),
      { numRuns: 500 },
    );
  });

  it('parses back, as a value and as a word, to just what it was', () => {
    fc.assert(
      fc.property(hostile, fc.array(hostile), (text, list) => {
        expect(JSON.parse(visibleJson({ [text]: list }))).toEqual({ [text]: list });
        const word = visibleWord(text);
        expect(word.startsWith('"') ? JSON.parse(word) : word).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
