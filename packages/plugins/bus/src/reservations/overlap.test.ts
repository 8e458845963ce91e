import fc from 'fast-check';
import picomatch from 'picomatch';
import { NFA } from 'refa';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createGlobOverlap, type GlobOverlap } from './overlap.ts';

const kinds: Readonly<Record<string, 'file' | 'folder'>> = { 'lib.d': 'folder', Makefile: 'file' };
const kindOf = (path: string) => kinds[path];

let globs: GlobOverlap;
beforeAll(() => {
  globs = createGlobOverlap(kindOf);
});

describe('two globs', () => {
  it.each([
    ['src/**', 'src/a.ts'],
    ['src/**', 'src'],
    ['src', 'src/api/a.ts'],
    ['src/*', 'src/**/*.ts'],
    ['**/*.ts', 'src/**/a.*'],
    ['**', '.env'],
    ['a/!(b)/c', 'a/x/c'],
    ['*.{ts,js}', 'x.js'],
    ['file{1..20}.txt', 'file15.txt'],
    ['[a-c]x', '[b-d]x'],
    ['[!a]x', 'bx'],
    ['+(a|b)', 'abba'],
    ['SRC/**', 'src/a.ts'],
    ['caf\u00e9/**', 'cafe\u0301/a.ts'],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
    ['app/[id]/page.tsx', 'app/*/page.tsx'],
    ['app/(group)/**', 'app/(group)/page.tsx'],
    ['{a,b}/**', 'b/c/d'],
    ['s/**/*.ts', 's/main.ts'],
    ['src/*.ts', 'src'],
    ['**/*.ts', 'src'],
    ['**/*.ts', 'lib.d'],
    ['**/*.ts', '.config'],
    ['v1.2', 'v1.2/a.ts'],
    ['v1.2', 'v1.2/*.ts'],
    ['V1.2', 'v1.2/**'],
    ['[!ab]x', 'cx'],
    ['[^ab]x', '[!cd]x'],
    ['[![:digit:]]x', 'ax'],
    ['file{01..12..2}.txt', 'file03.txt'],
    ['file{1..9000}.txt', 'file77.txt'],
    ['{a..f}x', 'cx'],
    ['a/!(b)/c', 'a/b/c'],
    ['a?.ts', 'a😀.ts'],
    ['?', '[!a]'],
    ['[😀é]x', '😀x'],
    ['[!a]x', '😀x'],
    ['é-ü?.ts', 'é-ü😀.ts'],
    ['a}?', 'a}b'],
    ['+(😀)', '😀😀'],
  ])('%s and %s overlap', (a, b) => {
    expect(globs.overlap(a, b)).toBe(true);
    expect(globs.overlap(b, a)).toBe(true);
  });

  it.each([
    ['src/**', 'lib/**'],
    ['src/**', 'src2/a.ts'],
    ['src/*.ts', 'src/*.js'],
    ['src/*', 'src/api/a.ts'],
    ['**/*.test.ts', '**/*.spec.ts'],
    ['src/a', 'src/ab'],
    ['[a-c]x', '[d-f]x'],
    ['{a,b}/**', 'c/**'],
    ['a?', 'a'],
    ['s/**/*.ts', 's/main.js'],
    ['s/**/*.ts', 's/README.md'],
    ['s/**/test/*.ts', 's/a/b.js'],
    ['**/*.ts', 'Makefile'],
    ['a.js', 'a.jsx'],
    ['[!ab]x', 'ax'],
    ['[^ab]x', '[ab]x'],
    ['[!a-c]x.ts', '{a,b}x.ts'],
    ['[!]a]x', 'ax'],
    ['a[!b]c', 'a/c'],
    ['a[![:digit:]]c', 'a/c'],
    ['[![:alpha:]]x', 'ax'],
    ['[[:digit:]]x', 'ax'],
    ['file{1..20}.txt', 'file21.txt'],
    ['file{1..20}.txt', 'filex.txt'],
    ['file{01..12}.txt', 'file3.txt'],
    ['file{1..9..2}.txt', 'file2.txt'],
    ['file{1..9000}.txt', 'filex.txt'],
    ['{a..c}x', 'dx'],
    ['@(a|b)/*.ts', 'c/x.ts'],
    ['+(a|b).ts', 'abc.ts'],
    ['?(a)b', 'aab'],
    ['{a,{b,c}}/x', 'd/x'],
    ['a??.ts', 'a😀.ts'],
    ['[😀]x', '😎x'],
    ['[!😀]x', '😀x'],
    ['a?', 'a👨‍👩'],
    ['a}?', 'ab'],
  ])('%s and %s do not', (a, b) => {
    expect(globs.overlap(a, b)).toBe(false);
    expect(globs.overlap(b, a)).toBe(false);
  });

  it.each(['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085'])(
    'take a name with %j for one like any other',
    (line) => {
      const name = `new${line}line.ts`;
      for (const glob of [
        'src/**',
        '**',
        '**/*.ts',
        'src/*',
        'src/new*',
        'src/*line.ts',
        'src/[!a]*',
        'SRC/NEW*',
      ]) {
        expect([glob, globs.overlap(glob, `src/${name}`)]).toEqual([glob, true]);
        expect([glob, globs.matches(glob, `src/${name}`)]).toEqual([glob, true]);
      }
      for (const [one, other] of [
        ['src/**/x', `src/a${line}/**`],
        [`src/a${'?'.repeat(line.length)}b`, `src/a${line}b`],
        [`{a,b${line}c}/**`, `b${line}c/d`],
        [`a[${line}]b`, `a${line.at(-1)}b`],
        [`É${line}.ts`, `é${line}.TS`],
      ] as const) {
        expect([one, globs.overlap(one, other), globs.overlap(other, one)]).toEqual([one, true, true]);
      }
      expect(globs.overlap('src/*', `src/a${line}/b`)).toBe(false);
      expect(globs.matches('src/**', `src${line}/b`)).toBe(false);
    },
  );

  const segment = fc.oneof(
    fc.constantFrom('a', 'b', 'ab', 'A', '.a', 'a.b', '*', '**', '?', 'a*', '*b', '*.a', 'a?b', '.*'),
    fc.constantFrom(
      '[ab]',
      '[!a]',
      '[!ab]*',
      '[![:alpha:]]a',
      '{a..c}',
      '[^b]*',
      '{a,b}',
      '{a,b*}',
      '{a,{b,ab}}',
      '!(a)',
      '+(a|b)',
      '@(a|.b)',
      '?(a)b',
      '*(ab)',
    ),
  );
  const glob = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
  const names = ['a', 'b', 'ab', 'aab', '.a', 'a.b', 'aXb'];
  const below = (paths: readonly string[]) => paths.flatMap((path) => names.map((name) => `${path}/${name}`));
  const paths = [...names, ...below(names), ...below(below(names))];
  /** As the guard reads the glob, and in every way in which a host may. */
  const matcherOf = (pattern: string) => {
    const readings = [{}, { dot: true }, { dot: true, nocase: true }].map((options) =>
      picomatch(pattern, { ...options, posix: true, nonegate: true }),
    );
    // A path without wildcards is a folder to the guard, which holds what is there to it, and may be a file here.
    const { isGlob } = picomatch.scan(pattern);
    return (path: string) =>
      (isGlob && globs.matches(pattern, path)) || readings.some((matches) => matches(path));
  };

  it('overlap whenever some path matches both', () => {
    let overlapping = 0;
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        const [matchesA, matchesB] = [matcherOf(a), matcherOf(b)];
        if (!paths.some((path) => matchesA(path) && matchesB(path))) return;
        overlapping += 1;
        expect(globs.overlap(a, b)).toBe(true);
        expect(globs.overlap(b, a)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(overlapping).toBeGreaterThan(100);
  });

  it('are matched as texts wherever the expression that picomatch writes matches', () => {
    const letters = fc
      .string({ unit: fc.constantFrom('a', 'b', '/', '.'), minLength: 1, maxLength: 8 })
      // As reservations have them: `./a` and `a//b` were made plain before, and picomatch makes them so itself.
      .filter((path) => path.split('/').every((part) => !['', '.', '..'].includes(part)));
    let matching = 0;
    fc.assert(
      fc.property(glob, letters, (pattern, path) => {
        if (!picomatch(pattern, { dot: true, nocase: true, posix: true, nonegate: true })(path)) return;
        matching += 1;
        expect(globs.overlap(pattern, path)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(matching).toBeGreaterThan(20);
  });

  it('run no expression on a text, since those backtrack', async () => {
    const { overlap } = createGlobOverlap(kindOf);
    const texts: unknown[] = [];
    const spy = vi.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
      texts.push(text);
      return this.exec(text) !== null;
    });
    const small = overlap('*a*a*b', 'a'.repeat(9));
    spy.mockRestore();
    expect(small).toBe(false);
    expect(texts).not.toContain('a'.repeat(9));
    // An end in itself, and too large to tell.
    expect(overlap(`${'*a'.repeat(200)}b`, 'a'.repeat(500))).toBe(true);
  });

  it('that are too many and too large to compare count as overlapping, after so many steps', async () => {
    const { overlap } = createGlobOverlap(kindOf);
    // Each is small enough alone, and told apart where it comes first.
    const pair = (at: number) => [`${'*a'.repeat(14)}b${at}`, `${'*a'.repeat(14)}c${at}`] as const;
    const fresh = createGlobOverlap(kindOf);
    expect(fresh.overlap(...pair(1_999))).toBe(false);
    const answers = Array.from({ length: 2_000 }, (_, at) => at).map((at) => overlap(...pair(at)));
    expect(answers[0]).toBe(false);
    expect(answers.at(-1)).toBe(true);
    // Folders that differ still tell them apart.
    expect(overlap('src/**', 'lib/**')).toBe(false);
  });

  it('that are many and long are held against each other’s texts only so often, and then count as overlapping', () => {
    const { overlap } = createGlobOverlap(kindOf);
    const test = vi.spyOn(NFA.prototype, 'test');
    const long = (word: string, at: number) => `${`${word}*`.repeat(60)}${at}/x`;
    const answers = Array.from({ length: 600 }, (_, at) => overlap(long('{a,b}', at), long('{c,d}', at)));
    const times = test.mock.calls.length;
    test.mockRestore();
    expect(answers.at(-1)).toBe(true);
    expect(times).toBeGreaterThan(20);
    expect(times).toBeLessThan(200);
  });

  it('count as overlapping where one has a reference, which no comparison reads', () => {
    expect(globs.overlap('a', '(/*\\1a')).toBe(true);
    expect(globs.overlap('(/*\\1a', '(/*\\1a')).toBe(true);
  });

  it('may have a hyphen first in a class that excludes', () => {
    expect(globs.overlap('[!--]', 'a')).toBe(true);
    expect(globs.overlap('[!--]', '-')).toBe(false);
    expect(globs.overlap('[!--a]', '_')).toBe(false);
    expect(globs.overlap('[!--a]', '+')).toBe(true);
    expect(globs.overlap('a[!--a]b', 'a/b')).toBe(false);
  });

  it('are compared without failing, whatever the text', () => {
    const unit = fc.constantFrom(...'ab/*?.[]{}()!+@|^$,\\-1é😀\n:~');
    const text = fc.string({ unit, minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        try {
          globs.check(a);
          globs.check(b);
        } catch (error) {
          expect(error).toMatchObject({ code: 'NEXUS_INVALID_PATTERN' });
          return;
        }
        expect(globs.overlap(a, b)).toBe(globs.overlap(b, a));
        expect(globs.overlap(a, a)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
