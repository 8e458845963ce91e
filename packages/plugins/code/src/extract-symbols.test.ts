import { describe, expect, it } from 'vitest';
import { failure, startProject } from '../test/start-project.ts';

interface Answer {
  symbols: {
    file: string;
    name: string;
    kind: string;
    line: number;
    endLine: number;
    parent: string | null;
  }[];
  total: number;
  files: number;
  unread?: { total: number; files: { file: string; reason: string }[] };
}

const names = ({ symbols }: Answer) => symbols.map(({ name }) => name);

describe('extract_symbols', () => {
  it('says of each file that is not UTF-8 how it was read', async () => {
    await using project = await startProject({
      'latin.ts': Buffer.from('export const größe = 1;\n', 'latin1'),
      'plain.ts': 'export const größe = 1;\n',
    });
    const said = 'latin.ts is not UTF-8 and has no mark of what it is; its bytes were read as Windows-1252.';
    for (const args of [{ filePath: 'latin.ts' }, { glob: '*.ts' }]) {
      expect(await project.answer('extract_symbols', args)).toMatchObject({ notes: [said] });
      expect((await project.call('extract_symbols', args)).content[0]?.text).toContain(said);
    }
    expect(await project.answer('extract_symbols', { filePath: 'plain.ts' })).not.toHaveProperty('notes');
  });

  it('names so many of them, and counts the others', async () => {
    const latin = Buffer.from('export const größe = 1;\n', 'latin1');
    const files = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`f${at}.ts`, latin]));
    await using project = await startProject(files);
    const { notes } = await project.answer<Answer & { notes: string[] }>('extract_symbols', { glob: '*.ts' });
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe('3 other files are not UTF-8 either.');
  });

  it('gives a file’s symbols with kind, signature, lines and parent', async () => {
    await using project = await startProject({
      'a.ts':
        'export class Größe {\r\n  /** 日本 */\r\n  wert(n: number): string {\r\n    return "x";\r\n  }\r\n}\r\n',
    });
    expect(await project.answer('extract_symbols', { filePath: 'a.ts' })).toEqual({
      symbols: [
        {
          file: 'a.ts',
          name: 'Größe',
          kind: 'class',
          signature: 'export class Größe',
          line: 1,
          endLine: 6,
          parent: null,
        },
        {
          file: 'a.ts',
          name: 'wert',
          kind: 'method',
          signature: 'wert(n: number): string',
          line: 3,
          endLine: 5,
          parent: 'Größe',
        },
      ],
      total: 2,
      files: 1,
    });
  });

  it('says at which lines a file does not parse, and nothing of one that does', async () => {
    await using project = await startProject({
      'bad.ts': 'const a = 1;\nfunction f( {\n  return a;\n}\n',
      'good.ts': 'export const a = 1;\n',
    });
    const bad = await project.answer<{ syntaxFaults?: object[] }>('extract_symbols', { filePath: 'bad.ts' });
    expect(bad.syntaxFaults?.[0]).toMatchObject({ file: 'bad.ts', line: expect.any(Number) });
    expect(await project.answer('extract_symbols', { filePath: 'good.ts' })).not.toHaveProperty(
      'syntaxFaults',
    );
  });

  it('leaves out what is declared inside functions unless the mode is full', async () => {
    await using project = await startProject({ 'a.py': 'def f():\n    x = 1\n    def g():\n        pass\n' });
    expect(names(await project.answer('extract_symbols', { filePath: 'a.py' }))).toEqual(['f']);
    expect(names(await project.answer('extract_symbols', { filePath: 'a.py', mode: 'full' }))).toEqual([
      'f',
      'x',
      'g',
    ]);
  });

  it('gives only the kinds asked for, and the total when it cuts', async () => {
    const text = Array.from({ length: 9 }, (_, n) => `function f${n}() {}\nconst c${n} = 1;\n`).join('');
    await using project = await startProject({ 'a.js': text });
    const answer = await project.answer<Answer>('extract_symbols', {
      filePath: 'a.js',
      kinds: ['function'],
      limit: 2,
    });
    expect(names(answer)).toEqual(['f0', 'f1']);
    expect(answer.total).toBe(9);
  });

  it('reads all files of a glob, in the order of their paths, and says which were not read', async () => {
    await using project = await startProject({
      'src/b.ts': 'export const b = 1;',
      'src/a.go': 'package a\nfunc A() {}\n',
      'src/c.md': '# no language',
      'src/d.ts': Buffer.from('const d = 1;\0'),
      'other.ts': 'export const other = 1;',
      '.gitignore': 'src/ignored.ts',
      'src/ignored.ts': 'export const ignored = 1;',
    });
    const answer = await project.answer<Answer>('extract_symbols', { glob: 'src/*' });
    expect(names(answer)).toEqual(['A', 'b']);
    expect(answer.files).toBe(2);
    expect(answer.unread).toEqual({ total: 1, files: [{ file: 'src/d.ts', reason: 'it is binary' }] });
  });

  it('answers an empty list for a glob without source files', async () => {
    await using project = await startProject({ 'a.ts': 'const a = 1;' });
    expect(await project.answer('extract_symbols', { glob: '*.rs' })).toEqual({
      notes: ['No file matches the glob *.rs.'],
      symbols: [],
      total: 0,
      files: 0,
    });
  });

  it('says where a glob would have matched', async () => {
    await using project = await startProject({ 'src/core/a.ts': 'const a = 1;', 'docs/x.md': '# x' });
    const notes = async (glob: string) =>
      (await project.answer<{ notes?: string[] }>('extract_symbols', { glob })).notes;
    expect(await notes('core/**')).toEqual([
      'No file matches the glob core/**, which counts from the root. **/core/** matches 1, such as src/core/a.ts.',
    ]);
    expect(await notes('docs/**')).toEqual(['1 file match, none in a language that is read.']);
    expect(await notes('src/core/**')).toBeUndefined();
  });

  it('names the glob of a folder from the root', async () => {
    await using project = await startProject({ 'src/core/a.ts': 'x' });
    const { text } = await failure(project.call('extract_symbols', { filePath: 'src/core' }));
    expect(text).toContain('"src/core/**"');
  });

  it('gives every symbol by its pages, whole, within the room that a model has', async () => {
    const text = (at: number) =>
      `export const aRatherLongName${at}: Record<string, number> = { a: ${at} };\n`;
    const file = Array.from({ length: 600 }, (_, at) => text(at)).join('');
    await using project = await startProject({ 'src/one.ts': file, 'src/two.ts': file });
    const seen: string[] = [];
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages += 1) {
      const result = await project.call('extract_symbols', { glob: 'src/*', limit: 1_000, offset });
      const found = result.structuredContent as unknown as Answer & { nextOffset?: number };
      const length = JSON.stringify(found).length + (result.content[0]?.text?.length ?? 0);
      expect(length).toBeLessThan(50_000);
      expect(found.total).toBe(1_200);
      seen.push(...found.symbols.map((symbol) => `${symbol.file} ${symbol.name}`));
      offset = found.nextOffset;
      if (offset !== undefined) expect(result.content[0]?.text).toContain(`offset ${offset} gives the next`);
    }
    expect(pages).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(1_200);
    expect(seen).toHaveLength(1_200);
  });

  it('is read by a model as an outline: each file once, members below what holds them', async () => {
    await using project = await startProject({
      'src/a.ts': 'export class Basket {\n  add(item: string): void {\n    go();\n  }\n}\nfunction go() {}\n',
      'src/b.go': 'package b\ntype T struct{}\nfunc (t T) Run() {}\n',
    });
    const { content } = await project.call('extract_symbols', { glob: 'src/*' });
    expect(content[0]?.text).toBe(
      [
        '5 symbols in 2 files.',
        '',
        'src/a.ts',
        '1-5 export class Basket',
        '  2-4 add(item: string): void',
        '6 function go()',
        '',
        'src/b.go',
        '2 type T struct',
        '3 func (t T) Run() (in T)',
      ].join('\n'),
    );
  });

  it('finds the symbols around a syntax error', async () => {
    await using project = await startProject({
      'a.ts': 'function before() {}\nconst = = ;\nfunction after() {}\n',
    });
    expect(names(await project.answer('extract_symbols', { filePath: 'a.ts' }))).toEqual(
      expect.arrayContaining(['before', 'after']),
    );
  });

  it.each([
    [{}, 'NEXUS_INVALID_ARGUMENTS', 'neither'],
    [{ filePath: 'a.ts', glob: '*.ts' }, 'NEXUS_INVALID_ARGUMENTS', 'both'],
    [{ filePath: 'a.xyz' }, 'NEXUS_UNSUPPORTED_LANGUAGE', '.tsx'],
    [{ filePath: 'src' }, 'NEXUS_FILE_UNREADABLE', 'src/**'],
    [{ filePath: 'b.ts' }, 'NEXUS_NOT_FOUND', 'a.ts'],
    [{ filePath: '../a.ts' }, 'NEXUS_OUTSIDE_ROOTS', 'root'],
    [{ filePath: 'binary.ts' }, 'NEXUS_FILE_UNREADABLE', 'binary'],
    [{ filePath: 'huge.ts' }, 'NEXUS_FILE_UNREADABLE', 'maxFileBytes'],
    [{ glob: '{a' }, 'NEXUS_INVALID_PATTERN', '{a'],
  ])('refuses %j with %s', async (input, code, words) => {
    await using project = await startProject(
      {
        'a.ts': 'x',
        'a.xyz': 'x',
        'src/c.ts': 'x',
        'binary.ts': Buffer.from([0, 1]),
        'huge.ts': ' '.repeat(5_000),
      },
      { options: { maxFileBytes: 2_000 } },
    );
    const error = await failure(project.call('extract_symbols', input));
    expect(error.code).toBe(code);
    expect(error.text).toContain(words);
  });
});
