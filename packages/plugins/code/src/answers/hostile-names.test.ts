import { visibleName } from '@nexus/primitives';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filesText } from './files-text.ts';
import { hitsText } from './hits-text.ts';
import { outlineText } from './outline-text.ts';
import { usagesText } from './usages-text.ts';

const PIECES = [
  'a',
  'b.ts',
  ' ',
  '  ',
  ':',
  ':12:',
  '12:',
  '41- x',
  '"',
  '\\',
  '\n',
  '\r',
  '\t',
  '\u001b[2J',
  '\u0085',
  '\u2028',
  '\u202e',
  '\u00a0',
  ', ',
  '(',
  ')',
  './',
  'é',
  '看',
];
const name = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.join('').replaceAll('/', '') || 'x')
  // What no file is called.
  .filter((each) => !/^\.{1,2}$/.test(each));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 6 });

const read = (shown: string): string => (shown.startsWith('"') ? JSON.parse(shown) : shown);
/** A line of no name: what steers, or ends a line somewhere. */
const STEERING = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u;

function assertPlain(text: string): void {
  for (const line of text.split('\n')) expect(line).not.toMatch(STEERING);
}

it('a list of files parses back to just those, whatever their names hold', () => {
  fc.assert(
    fc.property(paths, (files) => {
      const [, ...lines] = filesText({ files, total: files.length }).split('\n');
      const found = lines.flatMap((line) => {
        if (line.startsWith('"')) return [read(line)];
        const end = line.lastIndexOf('/') + 1;
        const folder = line.slice(0, end);
        return line
          .slice(end + 1)
          .split('  ')
          .map((each) => `${folder === './' ? '' : folder}${each}`);
      });
      expect(found.sort()).toEqual([...files].sort());
    }),
  );
});

it('hits parse back to just their files and lines, whatever their names and lines hold', () => {
  fc.assert(
    fc.property(paths, name, (files, text) => {
      const hits = files.map((file) => ({ file, line: 7, text, context: [`6- ${text}`] }));
      const shown = hitsText({ hits, total: hits.length });
      assertPlain(shown);
      const blocks = shown
        .split('\n\n')
        .slice(1)
        .map((block) => block.split('\n'));
      expect(blocks.map(([head = '']) => read(head))).toEqual(files);
      for (const [, ...lines] of blocks) {
        expect(lines.map((line) => line.slice(0, 2))).toEqual(['6-', '7:']);
      }
    }),
  );
});

it('usages parse back to just their files and lines', () => {
  fc.assert(
    fc.property(paths, name, (files, text) => {
      const references = files.map((file) => ({ file, line: 7, text, as: 'call', within: null }));
      const [first = 'x'] = files;
      const shown = usagesText({
        definition: { file: first, line: 3, endLine: 4, signature: text },
        otherDefinitions: [`${visibleName(first)}:12 const ${text}`],
        ...{ references, total: references.length, mentions: 0 },
      });
      assertPlain(shown);
      const [head = '', ...blocks] = shown.split('\n\n');
      const [, defined = ''] = /^Defined in ("(?:[^"\\]|\\.)*"|[^":][^:]*):3-4 /.exec(head) ?? [];
      expect(read(defined)).toBe(first);
      expect(blocks.map((block) => read(block.split('\n')[0] ?? ''))).toEqual(files);
      expect(
        blocks.map((block) =>
          block
            .split('\n')
            .slice(1)
            .map((line) => line.slice(0, 9)),
        ),
      ).toEqual(files.map(() => ['7 [call] ']));
    }),
  );
});

it('an outline parses back to its files, and where they do not parse', () => {
  fc.assert(
    fc.property(paths, name, (files, text) => {
      const symbols = files.map((file) => ({
        ...{ file, name: 'f', kind: 'function', signature: `f ${text}`, line: 1, endLine: 2, parent: null },
      }));
      const syntaxFaults = files.map((file) => ({ file, line: 9 }));
      const shown = outlineText({ symbols, total: files.length, files: files.length, syntaxFaults });
      assertPlain(shown);
      const [, faults = '', ...blocks] = shown.split('\n\n');
      expect(blocks.map((block) => read(block.split('\n')[0] ?? ''))).toEqual(files);
      const places = [
        ...faults.slice('Does not parse at '.length).matchAll(/("(?:[^"\\]|\\.)*"|[^":][^:]*?):9(?:, |\.$)/g),
      ];
      expect(places.map(([, file = '']) => read(file))).toEqual(files);
    }),
  );
});

it('plain names and lines stand there as they are', () => {
  const files = ['src/a.ts', 'src/my file (1).ts', 'docs/Übersicht.md', '[id].tsx', 'a-b_c+d,e.test.ts'];
  const text = filesText({ files, total: 5 });
  expect(text).toBe(
    '5 files.\nsrc/ a.ts  my file (1).ts\ndocs/ Übersicht.md\n./ [id].tsx  a-b_c+d,e.test.ts',
  );
  const line = '\tconst é = "看 \u00a0 👩‍👩‍👧"; // \\u001b: "x"';
  const [, body] = hitsText({ hits: [{ file: 'a.ts', line: 1, text: line, context: [] }], total: 1 }).split(
    '\n\n',
  );
  expect(body).toBe(`a.ts\n1:${line}`);
});
