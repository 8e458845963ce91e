import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../vitest.characters.ts';
import { loadPatterns, type Patterns } from './load-patterns.ts';
import { PatternFault } from './pattern-fault.ts';

let patterns: Patterns;
beforeAll(async () => {
  patterns = await loadPatterns();
});

describe('an expression', () => {
  it.each([
    ['^(a+)+$', `${'a'.repeat(20_000)}!`],
    ['^(a|a)*$', `${'a'.repeat(20_000)}!`],
    ['^(.*a){12}$', `${'a'.repeat(5_000)}!`],
    ['(x+x+)+y', 'x'.repeat(20_000)],
  ])('that backtracks without end elsewhere is answered: %s', (source, text) => {
    expect(patterns.expression(source).test(text)).toBe(false);
  });

  it.each([
    ['lookahead', '(?=a)b'],
    ['negative lookahead', '^(?!x)'],
    ['lookbehind', '(?<!a)b'],
    ['backreference', '(a)\\1'],
    ['inline flags', '(?i:a)'],
  ])('with %s is refused with that reason', (reason, source) => {
    const text = reason.replace('negative ', '');
    expect(() => patterns.expression(source)).toThrow(PatternFault);
    expect(() => patterns.expression(source)).toThrow(text);
  });

  it.each([
    ['longer than 4096', 'a'.repeat(4_097)],
    ['needs more than 10000 states', 'a{10001}'],
    ['more than 10000 states', '((a{1,100}){1,100}){1,100}'],
    ['more than 10000 states', 'a{1000000000}'],
    ['does not parse', 'a{2,1}'],
    ['does not parse', '('],
    ['more than 10000 states', `${'('.repeat(190)}a${'{90})'.repeat(190)}`],
    ['nests more than 200 groups', '('.repeat(4_000)],
  ])('is bounded before it is built: %s', (reason, source) => {
    expect(() => patterns.expression(source)).toThrow(PatternFault);
    expect(() => patterns.expression(source)).toThrow(reason);
  });

  it('refuses a match that would take too long, and says so', () => {
    const pattern = patterns.expression('^[a-f]{5000}$');
    expect(pattern.test('a'.repeat(5_000).slice(0, 700))).toBe(false);
    expect(() => pattern.test('a'.repeat(100_000))).toThrow(/would take too long on a text of 100000/);
    expect(() => patterns.expression('a').test('b'.repeat(1_000_000))).toThrow('would take too long');
  });

  it('is as long as it may be, and so is what it is matched with', () => {
    expect(patterns.expression('a'.repeat(4_096)).test('a'.repeat(1_000))).toBe(false);
    const sources = Array.from({ length: 100 }, (_, at) => 'a'.repeat(at + 1));
    const pattern = sources
      .map((source) => patterns.expression(source))
      .find(({ states }) => 5_000_000 % (states + 50) === 0);
    const longest = 5_000_000 / ((pattern?.states ?? 0) + 50);
    expect(pattern?.test('a'.repeat(longest))).toBe(true);
    expect(() => pattern?.test('a'.repeat(longest + 1))).toThrow('would take too long');
  });

  it('that the engine refuses is refused with its reason', () => {
    const refused = expect.objectContaining({
      message: expect.stringMatching(/can't be matched in linear time: .*invalid character class range/),
      cause: expect.any(Error),
    });
    expect(() => patterns.expression('[\\p{ASCII}]')).toThrow(refused);
  });

  it.each([
    ['^.{1,2500}$', 'a'.repeat(1_500), true],
    ['^.{0,1200}$', 'a'.repeat(1_201), false],
    ['^.{1100,}$', 'a'.repeat(1_099), false],
    ['^([a-z]{1,63}[.]){1,20}$', 'www.example.com.', true],
    ['^(a{100}){11}$', 'a'.repeat(1_100), true],
    ['^(a{100}){11,}$', 'a'.repeat(1_099), false],
    ['\\s', '\u00a0', true],
    ['^\\S+$', 'a\u2003b', false],
    ['^[^\\s]$', '\ufeff', false],
    ['^[\\S]$', 'é', true],
    ['^.$', '\u2028', false],
    ['^.$', '😀', true],
    ['^[^]$', '\n', true],
    ['[]', 'a', false],
    ['a$', 'a\n', false],
    ['^\\u{1F600}\\uD83D\\uDE00$', '😀😀', true],
    ['^\\p{Letter}\\p{Script=Greek}\\P{L}$', 'éα1', true],
    ['^\\p{Lu}[^\\p{N}]$', 'Éx', true],
    ['^(?<year>\\d{4})-\\d\\d$', '2026-11', true],
    ['^a{0}b$', 'b', true],
    ['^\\_\\-$', '_-', true],
    ['\\cA', '\u0001', true],
    ['^[\\w.+-]+@[\\w-]+\\.[\\w.]+$', 'ada@example.com', true],
  ])('means what it means to JavaScript: %s', (source, text, expected) => {
    expect(patterns.expression(source).test(text)).toBe(expected);
  });

  it('agrees with JavaScript on whatever both can take', () => {
    const piece = fc.constantFrom('a', 'b', '.', '\\d', '\\s', '\\W', '[ab]', '[^a\\n]', '\\b', '\\n', '😀');
    const expression = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        piece,
        fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
        fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(${left}|${right})`),
        fc
          .tuple(tie('node'), fc.constantFrom('*', '+?', '?', '{2}', '{1,3}'))
          .map(([x, times]) => `(?:${x})${times}`),
      ),
    })).node;
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '1', ' ', '\u00a0', '\n', '\u2028', '😀'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(expression, text, (source, given) => {
        const anchored = `^(?:${source})$`;
        expect(patterns.expression(anchored).test(given)).toBe(new RegExp(anchored, 'u').test(given));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a glob', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'a/b.ts', false],
    ['**/*.ts', 'a/b/c.ts', true],
    ['**/*.ts', 'c.ts', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'src', true],
    ['src/**', 'srcs', false],
    ['src/**/x', 'src/x', true],
    ['a**b', 'axb', true],
    ['a**b', 'a/b', false],
    ['**', 'a/b', true],
    ['?', '/', false],
    ['[!a]', 'b', true],
    ['[!a]', '/', false],
    ['[a-c]x', 'bx', true],
    ['[]]', ']', true],
    ['[^\\]]', 'x', true],
    ['{a,b*}c', 'bxc', true],
    ['{a,{b,c}}', 'c', true],
    ['{a}', '{a}', true],
    ['{a,b', '{a,b', true],
    ['[a', '[a', true],
    ['v{1..3}', 'v2', true],
    ['v{3..1}', 'v4', false],
    ['@(get|list)_+(a|b)', 'list_aab', true],
    ['?(x)y', 'y', true],
    ['\\*', '*', true],
    ['a.b', 'axb', false],
    ['(a)', '(a)', true],
  ])('%s on %s: %s', (glob, path, expected) => {
    expect(patterns.glob(glob).test(path)).toBe(expected);
  });

  it('knows no separator where names have no parts', () => {
    expect(patterns.glob('get*', { separator: '' }).test('get/a\nb')).toBe(true);
    expect(patterns.glob('a*b', { separator: '.' }).test('a.b')).toBe(false);
  });

  it.each([
    ['*a'.repeat(500), true],
    ['*b'.repeat(500), false],
    ['{'.repeat(2_000), false],
    [`${'+('.repeat(150)}a${')'.repeat(150)}`, true],
    ['[['.repeat(1_000), false],
    [`${'{a,'.repeat(190)}${'}'.repeat(190)}`, false],
  ])('is answered however often it branches: %#', (glob, expected) => {
    expect(patterns.glob(glob).test('a'.repeat(2_000))).toBe(expected);
  });

  it.each([
    ['groups', `${'+('.repeat(900)}a${')'.repeat(900)}`],
    ['braces', `${'{a,'.repeat(600)}${'}'.repeat(600)}`],
  ])('says that it nests too deep, whatever stack is left: %s', (_, glob) => {
    expect(() => patterns.glob(glob)).toThrow(new PatternFault(glob, 'nests more than 200 groups').message);
  });

  it('counts no group that is escaped or in a class', () => {
    expect(patterns.glob('\\('.repeat(300)).test('('.repeat(300))).toBe(true);
    expect(patterns.glob('[(]'.repeat(300)).test('('.repeat(300))).toBe(true);
  });

  it('refuses a negated group', () => {
    expect(() => patterns.glob('!(a)')).toThrow(/has !\(…\), which is not supported/);
  });

  it('takes any text for a glob or says why not, and a text without wildcards matches itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const plain = text.replace(/[\\*?[\]{}()!|,]/g, '');
        expect(patterns.glob(plain, { separator: '' }).test(plain)).toBe(true);
        try {
          patterns.glob(text).test(text);
        } catch (error) {
          expect(error).toBeInstanceOf(PatternFault);
        }
      }),
    );
  });
});

describe('a URI template', () => {
  it.each([
    ['file:///{path}', 'file:///a', true],
    ['file:///{path}', 'file:///a/b', false],
    ['file:///{+path}', 'file:///a/b', true],
    ['x://a{?q,r}', 'x://a?q=1&r=2', true],
    ['x://{a*}', 'x://b/c', true],
    ['x://a.b', 'x://axb', false],
    ['x://{', 'x://{', true],
  ])('%s on %s: %s', (template, uri, expected) => {
    expect(patterns.uriTemplate(template).test(uri)).toBe(expected);
  });

  it('of many wide parts is answered', () => {
    expect(patterns.uriTemplate('{+a}'.repeat(200)).test(`${'x'.repeat(5_000)}`)).toBe(true);
    expect(patterns.uriTemplate(`${'{+a}'.repeat(200)}!`).test('x'.repeat(5_000))).toBe(false);
  });
});
