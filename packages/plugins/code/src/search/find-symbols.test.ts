import { describe, expect, it } from 'vitest';
import { failure, makeFolder, startProject } from '../../test/start-project.ts';

interface Answer {
  hits: {
    file: string;
    line?: number;
    text: string;
    context: { before: string[] };
    symbol?: { name: string };
  }[];
  total: number;
  notes?: string[];
}

const at = ({ hits }: Answer) => hits.map(({ file, line, symbol }) => `${file}:${line} ${symbol}`);

describe('search_codebase for symbols', () => {
  it('puts the nearest names first and those inside functions last', async () => {
    await using project = await startProject({
      'a.ts': 'function host() { function load() {} }\nconst preload = 1;\n',
      'b.ts': 'class Load {}\nconst loader = 1;\nfunction load() {}\n',
    });
    const answer = await project.answer<Answer>('search_codebase', { query: 'load', mode: 'symbol' });
    expect(at(answer)).toEqual([
      'b.ts:3 load',
      'b.ts:1 Load',
      'b.ts:2 loader',
      'a.ts:2 preload',
      'a.ts:1 host.load',
    ]);
    expect(answer.total).toBe(5);
  });

  it('gives the signature as text, and the lines around', async () => {
    await using project = await startProject({
      'a.go': 'package a\n\n// Run runs.\nfunc Run(x int) error {\n}\n',
    });
    expect(await project.answer('search_codebase', { query: 'Run', mode: 'symbol', context: 1 })).toEqual({
      hits: [
        {
          file: 'a.go',
          line: 4,
          text: 'func Run(x int) error',
          context: ['3- // Run runs.', '5- }'],
          symbol: 'Run',
          kind: 'function',
        },
      ],
      total: 1,
    });
  });

  it('takes a parent before the name, however the language writes it', async () => {
    await using project = await startProject({
      'a.rb': 'class Cart\n  def add\n  end\nend\nclass List\n  def add\n  end\nend\n',
    });
    for (const query of ['Cart.add', 'cart#add', 'Shop::Cart::add']) {
      expect(at(await project.answer('search_codebase', { query, mode: 'symbol' })), query).toEqual([
        'a.rb:2 Cart.add',
      ]);
    }
  });

  it('pages, and narrows by directory, file and glob', async () => {
    await using project = await startProject({
      'a/x.ts': 'const hit1 = 1;\nconst hit2 = 1;',
      'a/y.py': 'hit3 = 1',
      'b/x.ts': 'const hit4 = 1;',
    });
    const search = (input: object) =>
      project.answer<Answer>('search_codebase', { query: 'hit', mode: 'symbol', ...input });
    expect(at(await search({ limit: 2, offset: 1 }))).toEqual(['a/x.ts:2 hit2', 'a/y.py:1 hit3']);
    expect((await search({ limit: 2, offset: 1 })).total).toBe(4);
    expect(at(await search({ directory: 'b' }))).toEqual(['b/x.ts:1 hit4']);
    expect(at(await search({ directory: 'a/y.py' }))).toEqual(['a/y.py:1 hit3']);
    expect(at(await search({ directory: 'a', glob: '*.ts' }))).toEqual(['a/x.ts:1 hit1', 'a/x.ts:2 hit2']);
  });

  it('searches the client’s roots too', async () => {
    using other = makeFolder({ 'b.ts': 'const there = 1;' });
    await using project = await startProject(
      { 'a.ts': '' },
      { roots: [{ path: other.path, name: 'other' }] },
    );
    expect(at(await project.answer('search_codebase', { query: 'there', mode: 'symbol' }))).toEqual([
      `${other.path}/b.ts:1 there`,
    ]);
  });

  it('reports progress while it reads a tree for the first time', async () => {
    const files = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}.js`, `const v${n} = 1;`]));
    await using project = await startProject(files);
    const messages: (string | undefined)[] = [];
    const progress = ({ message }: { message?: string }) => messages.push(message);
    await project.call('search_codebase', { query: 'v', mode: 'symbol' }, { progress });
    expect(messages).toEqual(['Reading symbols', 'Reading symbols']);
  });

  it('says so when a named file has no symbols to be read', async () => {
    await using project = await startProject({ 'a.md': 'x', 'b.ts': Buffer.from([0]) });
    const search = (directory: string) =>
      failure(project.call('search_codebase', { query: 'x', mode: 'symbol', directory }));
    expect((await search('a.md')).code).toBe('NEXUS_UNSUPPORTED_LANGUAGE');
    expect((await search('b.ts')).code).toBe('NEXUS_FILE_UNREADABLE');
  });

  it('says how much it left out of a tree beyond the limit', async () => {
    await using project = await startProject(
      { 'a.ts': 'const hit = 1;', 'b.ts': 'const hit = 1;', 'c.ts': 'const hit = 1;' },
      { options: { maxIndexedFiles: 2 } },
    );
    const answer = await project.answer<Answer>('search_codebase', { query: 'hit', mode: 'symbol' });
    expect(answer.total).toBe(2);
    expect(answer.notes).toEqual([expect.stringContaining('1 source file beyond')]);
  });
});

describe('search_codebase for paths', () => {
  it('puts file names before folders and honours .gitignore', async () => {
    await using project = await startProject({
      '.gitignore': 'dist',
      'dist/index.ts': '',
      'index/other.ts': '',
      'src/Index.ts': '',
      'src/my-index.ts': '',
      'src/index': '',
    });
    const answer = await project.answer<Answer>('search_codebase', { query: 'index', mode: 'path' });
    expect(answer.hits.map(({ file }) => file)).toEqual([
      'src/index',
      'src/Index.ts',
      'src/my-index.ts',
      'index/other.ts',
    ]);
  });

  it('matches a part of the path across folders, pages, and narrows', async () => {
    await using project = await startProject({ 'a/b/c.ts': '', 'a/b/d.md': '', 'x/a/b/e.ts': '' });
    const search = async (input: object) => {
      const answer = await project.answer<Answer>('search_codebase', {
        query: 'a/b',
        mode: 'path',
        ...input,
      });
      return [answer.total, ...answer.hits.map(({ file }) => file)];
    };
    expect(await search({})).toEqual([3, 'a/b/c.ts', 'a/b/d.md', 'x/a/b/e.ts']);
    expect(await search({ offset: 1, limit: 1 })).toEqual([3, 'a/b/d.md']);
    expect(await search({ glob: '*.ts' })).toEqual([2, 'a/b/c.ts', 'x/a/b/e.ts']);
    expect(await search({ directory: 'x' })).toEqual([1, 'x/a/b/e.ts']);
    expect(await search({ query: 'none' })).toEqual([0]);
  });
});
