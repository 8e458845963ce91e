import { describe, expect, it } from 'vitest';
import type { ToolCaller } from '../tool-caller.ts';
import { lookUp, namesThere } from './look-up-names.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/a.ts': Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n'),
  'packages/x/index.ts': 'export const alpha = 1;',
  'packages/y/index.ts': 'export const beta = 1;',
  'packages/y/only.ts': 'one line',
  'empty.ts': '',
  'twelve.ts': 'one\n'.repeat(12),
};

const project = { brief: async () => '', read: async (path: string) => FILES[path] };

/** The search of the plugin `code`, as far as it is asked. */
const tools = {
  find: () => ({}),
  async call(_: string, { arguments: { query, mode } }: { arguments: { query: string; mode: string } }) {
    const hits = Object.entries(FILES)
      .filter(([file, text]) => (mode === 'path' ? file : text).includes(query))
      .map(([file]) => ({ file, ...(mode === 'symbol' && { symbol: query }) }));
    return { content: [], structuredContent: { hits } };
  },
} as unknown as ToolCaller;

describe('what a text names', () => {
  it('is marked where it is not there, and left where it is', async () => {
    const text = 'See `src/a.ts`, src/b.ts:3 and `alpha()`, not `gamma()`, nor src/a.ts:31.';
    const { marked, missing, files } = await lookUp(text, { project, tools });
    expect(marked).toBe(
      'See `src/a.ts`, src/b.ts:3 (not found) and `alpha()`, not `gamma()` (not found), nor src/a.ts:31 (not found: the file has 30 lines).',
    );
    expect(missing).toEqual(['src/b.ts:3', 'gamma()', 'src/a.ts:31']);
    expect(files).toEqual(['src/a.ts']);
  });

  it('is a line of the file: a line break at its end begins no other', async () => {
    const { missing, windows } = await lookUp('`empty.ts`, twelve.ts:12, twelve.ts:13.', { project, tools });
    expect(missing).toEqual(['twelve.ts:13']);
    expect(windows).toMatchObject([
      { file: 'twelve.ts', from: 4, to: 12, text: expect.stringMatching(/\n12\tone$/) },
    ]);
  });

  it('is a file without a line, and in prose', async () => {
    const { marked } = await lookUp('CHANGELOG.md has an entry, as package.json.', { project, tools });
    expect(marked).toBe('CHANGELOG.md (not found) has an entry, as package.json (not found).');
  });

  it('is marked once, however often it is looked up', async () => {
    const { marked } = await lookUp('See src/b.ts:3 and `src/a.ts`.', { project, tools });
    const again = await lookUp(marked, { project, tools });
    expect(again).toMatchObject({ marked, missing: ['src/b.ts:3'] });
  });

  it('is looked up in what is given in the place of the project’s own search', async () => {
    const search = async (_: string, query: string) => (query === 'alpha' ? ['src/a.ts'] : []);
    expect((await lookUp('`alpha()` and `beta()`', { project, search })).missing).toEqual(['beta()']);
  });

  it('is a place with the lines around it', async () => {
    const { places, windows } = await lookUp('At src/a.ts:20 and again src/a.ts:20.', { project, tools });
    expect(places).toEqual([{ file: 'src/a.ts', from: 20, to: 20 }]);
    expect(windows).toEqual([
      {
        file: 'src/a.ts',
        from: 12,
        to: 28,
        text: expect.stringMatching(/^12\tline 12\n[\s\S]*28\tline 28$/),
      },
    ]);
  });

  it('is shown once, however many places are near each other', async () => {
    const near = [14, 12, 13, 29, 15].map((line) => `src/a.ts:${line}`).join(', ');
    const { places, windows = [] } = await lookUp(`${near}, twelve.ts:2.`, { project, tools });
    expect(places).toHaveLength(6);
    expect(windows.map(({ file, from, to }) => [file, from, to])).toEqual([
      ['src/a.ts', 4, 30],
      ['twelve.ts', 1, 10],
    ]);
    const lines = windows.flatMap(({ file, text }) => text.split('\n').map((line) => `${file} ${line}`));
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('is a bare file where the project has it, and else a product, which nobody looks for', async () => {
    const text = 'With Node.js, see only.ts, empty.ts and index.ts.';
    expect(await lookUp(text, { project, tools })).toMatchObject({
      marked: text,
      missing: [],
      files: ['packages/y/only.ts', 'empty.ts'],
    });
    const names = await namesThere(`${text} And \`alpha()\`, src/none.ts.`, { project, tools });
    expect(names.map(({ name, file }) => [name, file])).toEqual([
      ['only.ts', 'packages/y/only.ts'],
      ['empty.ts', 'empty.ts'],
      // Nobody knows which of two is meant.
      ['index.ts', undefined],
      ['alpha', undefined],
      ['src/none.ts', undefined],
    ]);
  });

  it('is no symbol that does not say to be of the project: it is not marked, and counts where it is declared', async () => {
    const text = 'It prints `NaNconstructor` by `Math.trunc()`, and alpha(1048576), gamma(1).';
    expect(await lookUp(text, { project, tools })).toMatchObject({ marked: text, missing: [] });
    const names = await namesThere(text, { project, tools });
    expect(names.map(({ name, file }) => [name, file])).toEqual([['alpha', 'packages/x/index.ts']]);
  });

  it('may be missing as a file, or as a symbol, which may be one to be made', async () => {
    const { missing, missingFiles } = await lookUp('See beta(), gamma() and src/none.ts:3.', {
      project,
      tools,
    });
    expect(missing).toEqual(['gamma()', 'src/none.ts:3']);
    expect(missingFiles).toEqual(['src/none.ts:3']);
  });

  it('may stand in a folder below, as people write it', async () => {
    const { marked, files } = await lookUp('In only.ts:1, and x/index.ts:1, and `index.ts`.', {
      project,
      tools,
    });
    expect(marked).toBe('In only.ts:1, and x/index.ts:1, and `index.ts`.');
    // Of the last nobody knows which of two is meant.
    expect(files).toEqual(['packages/y/only.ts', 'packages/x/index.ts']);
  });

  it('is no longer than the end of a name: `nly.ts` is not `only.ts`', async () => {
    expect((await lookUp('In nly.ts:1.', { project, tools })).marked).toBe('In nly.ts:1 (not found).');
  });

  it('is left as it is where nobody can tell', async () => {
    const { marked } = await lookUp('`gamma()` in `none.ts`, src/none.ts.', { project });
    expect(marked).toBe('`gamma()` in `none.ts`, src/none.ts (not found).');
  });

  it('is no symbol more than forty, since each is a search', async () => {
    const text = Array.from({ length: 60 }, (_, index) => `\`gone_${index}()\``).join(' ');
    expect((await lookUp(text, { project, tools })).missing).toHaveLength(40);
  });
});
