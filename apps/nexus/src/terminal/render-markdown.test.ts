import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markdownRenderer, type RenderOptions } from './render-markdown.ts';
import { shownWidth } from './wrap.ts';

function rendered(chunks: Iterable<string>, columns = 80, look: RenderOptions['look'] = 'plain'): string {
  const renderer = markdownRenderer({ columns, look });
  let shown = '';
  for (const chunk of chunks) shown += renderer.push(chunk);
  return shown + renderer.end();
}

it('breaks prose between words at the width, and hangs lists under their text', () => {
  expect(rendered('one two three four\n- five six seven eight nine', 16)).toBe(
    'one two three\nfour\n• five six seven\n  eight nine\n',
  );
});

it('leaves code as it is, however long, up to a fence as long as the one that began it', () => {
  const code = `\`\`\`\`ts\nconst a = "${'x'.repeat(60)}";\n\`\`\`\n| **a** |\n\`\`\`\``;
  expect(rendered(code, 40)).toBe(`${code}\n`);
});

it('shows headings, strong words, links and code in styles where there are colours', () => {
  expect(rendered('# Title\n**bold** and `code`', 80, 'styled')).toBe(
    '\u001b[1mTitle\u001b[22m\n\u001b[1mbold\u001b[22m and \u001b[36mcode\u001b[39m\n',
  );
  expect(rendered('see [the docs](https://a.example/x)', 80, 'styled')).toBe(
    'see the docs (\u001b[2mhttps://a.example/x\u001b[22m)\n',
  );
});

it('shows no marks on a terminal without colours either, and leaves what only looks like one', () => {
  expect(rendered('# Title\n- **one** *thing*, [here](https://a.example)')).toBe(
    'Title\n• one thing, here (https://a.example)\n',
  );
  expect(rendered('2 * 3 * 4, a*b*c, **half')).toBe('2 * 3 * 4, a*b*c, **half\n');
});

it('gives a pipe what the model wrote, with what steers a terminal as an escape', () => {
  const text = '# Title\n\n| a |\n|---|\n| **b** |\n';
  const given = rendered(text.replace('b', '\u001b[2Jb'), Number.POSITIVE_INFINITY, 'source');
  expect(given).toBe(text.replace('b', '\\u001b[2Jb'));
});

it('keeps code on one row where a row has room for it, and in the cells of a table', () => {
  const said = 'Say `nexus runs --watch` now';
  expect(rendered(said, 22)).toBe('Say\n`nexus runs --watch`\nnow\n');
  expect(rendered(said, 22, 'styled')).toBe('Say \u001b[36mnexus runs --watch\u001b[39m\nnow\n');
  expect(rendered(said, 12)).toBe('Say `nexus\nruns\n--watch` now\n');
  expect(rendered('| a | b |\n|---|---|\n| `a b` | c |', 40)).toBe('a      b\n─────  ─\n`a b`  c\n');
});

it('marks every line of a quotation', () => {
  expect(rendered('> one two three four', 12)).toBe('> one two\n> three four\n');
});

it('keeps strong words strong across a line break, and counts what is shown', () => {
  expect(rendered('see **one two three four** end', 12, 'styled')).toBe(
    'see \u001b[1mone two\nthree four\u001b[22m\nend\n',
  );
  expect(rendered('日本語 日本語', 12)).toBe('日本語 日本\n語\n');
});

it('lets nothing through that steers the terminal', () => {
  expect(rendered('a\u001b[2Jb\u001b]0;x\u0007c\rd\u009b1m')).toBe(
    'a\\u001b[2Jb\\u001b]0;x\\u0007c\\u000dd\\u009b1m\n',
  );
});

it('shows a table in columns where they fit', () => {
  expect(rendered('| a | name |\n|---|---|\n| 1 | **one** |\n| 22 | x\\|y |\nend', 40)).toBe(
    'a   name\n──  ────\n1   one\n22  x|y\nend\n',
  );
});

it('breaks the cells of a table that is too wide, with a line between its rows', () => {
  const table = '| tool | what it does |\n|---|---|\n| a | reads one file and counts |\n| b | writes |';
  expect(rendered(table, 20)).toBe(
    'tool  what it does\n────  ──────────────\na     reads one file\n      and counts\n────  ──────────────\nb     writes\n',
  );
});

it('shows a table as records where its columns would be too narrow to read', () => {
  const table =
    '| identifier | description | responsible |\n|---|---|---|\n| alpha-numeric-1 | a long description of it | somebody-else |\n| b | c | |';
  expect(rendered(table, 40)).toBe(
    'identifier: alpha-numeric-1\ndescription: a long description of it\nresponsible: somebody-else\n\nidentifier: b\ndescription: c\n',
  );
});

const line = fc.oneof(
  fc.constantFrom(
    '```ts',
    '```',
    '~~~~',
    '- **one** thing that is longer than a window of forty columns is',
    '  - nested `code` and *more*',
    '    1. third **half',
    '# A *title*',
    '> quoted **text** of someone who had much to say about it',
    '| a | **b** | c |',
    '|---|:-:|---|',
    '| `x\\|y` | 日本語の長い文章です | one two three four five six |',
    '| [l](https://a.example/very/long/address) |',
    'see [the docs](https://a.example/x) and ![p](q',
    '日本語 👩‍👩‍👧 wide **日本** text, very much of it, in one line',
    '',
    '\u001b[31mred\u001b',
    '[0m\r',
  ),
  fc.string({ unit: fc.constantFrom('*', '`', '[', ']', '(', ')', '|', '-', ' ', 'a', '語', '👍', '\t') }),
);

it('shows the same wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.constantFrom('styled' as const, 'plain' as const, 'source' as const),
      (text, cuts, look) => {
        // Between any two code units: a provider may cut a picture in two.
        const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(rendered(chunks, 40, look)).toBe(rendered([text], 40, look));
      },
    ),
    { numRuns: 1000 },
  );
});

it('shows no row that is wider than the window, but for code and words that are longer', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const prose = lines.filter((each) => !/```|~~~|\t/.test(each) && !each.includes('https://'));
      const shown = stripVTControlCharacters(rendered([prose.join('\n')], 40, 'styled'));
      for (const row of shown.split('\n'))
        if (row.trim().includes(' '))
          expect({ row, fits: shownWidth(row) <= 40 }).toEqual({ row, fits: true });
    }),
    { numRuns: 1000 },
  );
});
