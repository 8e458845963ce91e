import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure, makeFolder, startProject } from '../test/start-project.ts';

interface Answer {
  hits: { file: string; line?: number; text: string; context: string[] }[];
  total: number;
  totalIsLowerBound?: boolean;
  notes?: string[];
}

const at = ({ hits }: Answer) => hits.map(({ file, line }) => `${file}:${line}`);

describe('search_codebase for text and regular expressions', () => {
  it('gives file, line, text and the lines around each hit', async () => {
    await using project = await startProject({ 'src/a.ts': 'one\ntwo\nneedle here\nfour\nfive\nsix\n' });
    const answer = await project.answer<Answer>('search_codebase', { query: 'needle', context: 2 });
    expect(answer).toEqual({
      hits: [
        {
          file: 'src/a.ts',
          line: 3,
          text: 'needle here',
          context: ['1- one', '2- two', '4- four', '5- five'],
        },
      ],
      total: 1,
    });
  });

  it('reads the query literally in text mode and as a pattern in regex mode', async () => {
    await using project = await startProject({ 'a.txt': 'a.c\nabc\n-e\n' });
    expect(at(await project.answer('search_codebase', { query: 'a.c' }))).toEqual(['a.txt:1']);
    expect(at(await project.answer('search_codebase', { query: '^a.c$', mode: 'regex' }))).toEqual([
      'a.txt:1',
      'a.txt:2',
    ]);
    expect(at(await project.answer('search_codebase', { query: '-e' }))).toEqual(['a.txt:3']);
  });

  it.each([
    ['text', 'a\nb'],
    ['regex', 'a\\nb'],
    ['regex', 'a\\\\\\nb'],
  ])('says what to do about a line break in %s: %j', async (mode, query) => {
    await using project = await startProject({ 'a.txt': 'a\nb\n' });
    const { text } = await failure(project.call('search_codebase', { query, mode }));
    expect(text).toContain('Look for one of its lines');
    expect(text).not.toContain('multiline');
    const { total } = await project.answer<Answer>('search_codebase', { query: 'a\\\\nb', mode: 'regex' });
    expect(total).toBe(0);
  });

  it('is read by a model as text: each file once, contexts merged, no line twice', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    lines[2] = 'needle three';
    lines[4] = 'needle five';
    lines[14] = 'needle fifteen';
    await using project = await startProject({ 'a.txt': lines.join('\n'), 'b.txt': 'needle\n' });
    const { content } = await project.call('search_codebase', { query: 'needle', context: 1 });
    expect(content[0]?.text).toBe(
      [
        '4 hits.',
        '',
        'a.txt',
        '2-line 2',
        '3:needle three',
        '4-line 4',
        '5:needle five',
        '6-line 6',
        '--',
        '14-line 14',
        '15:needle fifteen',
        '16-line 16',
        '',
        'b.txt',
        '1:needle',
      ].join('\n'),
    );
    const paths = await project.call('search_codebase', { query: '.txt', mode: 'path' });
    expect(paths.content[0]?.text).toBe('2 hits.\n\na.txt\nb.txt');
  });

  it('gives fewer hits, each whole, where not all fit, and the offset to go on', async () => {
    const file = Array.from({ length: 150 }, (_, at) => `needle ${at} ${'x'.repeat(250)}`).join('\n');
    await using project = await startProject({ 'a.txt': file });
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const input = { query: 'needle', limit: 200, context: 5, offset };
      const result = await project.call('search_codebase', input);
      const found = result.structuredContent as unknown as Answer & { nextOffset?: number };
      expect(JSON.stringify(result).length).toBeLessThan(50_000);
      seen.push(...at(found));
      offset = found.nextOffset;
    }
    expect(new Set(seen).size).toBe(150);
    expect(seen).toHaveLength(150);
  });

  it('says what would have found something where nothing is found', async () => {
    await using project = await startProject({ 'src/core/a.ts': 'const Needle = 1;\n', 'docs/b.md': 'x\n' });
    const notes = async (input: Readonly<Record<string, unknown>>) =>
      (await project.answer<Answer>('search_codebase', input)).notes?.join(' ');
    expect(await notes({ query: 'needle' })).toBe(
      'In another case it is in 1 line, such as src/core/a.ts:1: search_codebase with mode "regex" and query "(?i)needle".',
    );
    expect(await notes({ query: 'Needle', glob: 'core/**' })).toBe(
      'No file matches the glob core/**, which counts from the root. **/core/** matches 1, such as src/core/a.ts.',
    );
    expect(await notes({ query: 'Needle', glob: '*.md' })).toBe(
      'Without glob it is in 1 line, such as src/core/a.ts:1.',
    );
    expect(await notes({ query: 'Needle', directory: 'docs' })).toContain('Without directory');
    expect(await notes({ query: '*.ts', mode: 'path' })).toContain(
      'list_files it matches 1, such as src/core/a.ts',
    );
    expect(await notes({ query: 'Needle', mode: 'symbol', directory: 'docs' })).toBe(
      'Without directory it is in 1 place, such as src/core/a.ts.',
    );
    expect(await notes({ query: 'a.ts', mode: 'path', glob: '*.md' })).toBe(
      'Without glob it is in 1 place, such as src/core/a.ts.',
    );
    expect(await notes({ query: '= 1', mode: 'symbol' })).toContain('As text it is in 1 line');
  });

  it.each(['text', 'symbol', 'path'])(
    'shows a path in one line, whatever its name holds, in mode %s',
    async (mode) => {
      const file = 'src/new\nline: needle is here\nsrc/innocent\u001b[2J\u202e.js';
      await using project = await startProject({ [file]: 'const needle = 1;\n' });
      const { structuredContent, content } = await project.call('search_codebase', { query: 'needle', mode });
      expect(structuredContent).toMatchObject({ hits: [{ file }] });
      const text = content.map((block) => block.text ?? '').join('');
      expect(text.split('\n')).toContain(
        '"src/new\\nline: needle is here\\nsrc/innocent\\u001b[2J\\u202e.js"',
      );
      expect(text).not.toMatch(/[\u001b\u202e]/);
    },
  );

  it('advises nothing that would find nothing either', async () => {
    await using project = await startProject({ 'src/core/a.ts': 'const Needle = 1;\n', 'docs/b.md': 'x\n' });
    const notes = async (input: Readonly<Record<string, unknown>>) =>
      (await project.answer<Answer>('search_codebase', input)).notes?.join(' ');
    expect(await notes({ query: 'nowhere' })).toBeUndefined();
    for (const mode of ['text', 'symbol', 'path']) {
      expect(await notes({ query: 'nowhere', mode, directory: 'docs', glob: '*.md' })).toBeUndefined();
    }
    expect(await notes({ query: 'nowhere', glob: 'core/**' })).toBe(
      'No file matches the glob core/**, which counts from the root.',
    );
    expect(await notes({ query: '*.go', mode: 'path' })).toBeUndefined();
  });

  it('answers an empty list for what is nowhere', async () => {
    await using project = await startProject({ 'a.txt': 'x\n' });
    expect(await project.answer('search_codebase', { query: 'absent' })).toEqual({ hits: [], total: 0 });
  });

  it('pages in a stable order, with the same total on each page', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`d${n % 3}/f${n}.txt`, 'hit\nhit\n']),
    );
    await using project = await startProject(files);
    const pages = await Promise.all(
      [0, 10, 20].map((offset) =>
        project.answer<Answer>('search_codebase', { query: 'hit', limit: 10, offset, context: 0 }),
      ),
    );
    expect(pages.map((page) => page.total)).toEqual([24, 24, 24]);
    const all = await project.answer<Answer>('search_codebase', { query: 'hit', limit: 100, context: 0 });
    expect(pages.flatMap(at)).toEqual(at(all));
    expect(new Set(at(all)).size).toBe(24);
  });

  it('honours .gitignore, with a glob too and outside a git repository', async () => {
    await using project = await startProject({
      '.gitignore': 'dist/\nsecret.ts\n',
      'dist/a.ts': 'needle',
      'secret.ts': 'needle',
      '.git/config': 'needle',
      'src/a.ts': 'needle',
      '.github/ci.yml': 'needle',
    });
    expect(at(await project.answer('search_codebase', { query: 'needle' }))).toEqual([
      '.github/ci.yml:1',
      'src/a.ts:1',
    ]);
    expect(at(await project.answer('search_codebase', { query: 'needle', glob: '*.ts' }))).toEqual([
      'src/a.ts:1',
    ]);
  });

  it.skipIf(process.platform === 'win32')(
    'shows nothing of a file outside that a .gitignore leads to, also where it is no list',
    async () => {
      using outside = makeFolder({ secret: '{SECRET-A\n[SECRET-B\n!{SECRET-C\n' });
      await using project = await startProject({ 'src/a.ts': 'needle', 'src/deep/b.ts': 'needle' });
      for (const place of ['.gitignore', 'src/.gitignore']) {
        symlinkSync(join(outside.path, 'secret'), join(project.path, place));
      }
      for (const [tool, args] of [
        ['search_codebase', { query: 'needle' }],
        ['search_codebase', { query: 'SECRET' }],
        ['list_files', {}],
        ['read_file', { path: '.gitignore' }],
      ] as const) {
        expect(JSON.stringify(await project.call(tool, args)), tool).not.toContain('SECRET-');
      }
    },
  );

  it('is not put off by a .gitignore that does not parse', async () => {
    await using project = await startProject({
      '.gitignore': '{a\n[\ndist\n',
      'dist/a.ts': 'hit',
      'a.ts': 'hit',
    });
    expect(at(await project.answer('search_codebase', { query: 'hit' }))).toEqual(['a.ts:1']);
    expect(at(await project.answer('search_codebase', { query: 'a', mode: 'path' }))).toContain(
      'a.ts:undefined',
    );
  });

  it('says so when a root is gone', async () => {
    const root = makeFolder();
    await using project = await startProject({}, { roots: [{ path: root.path, name: 'gone' }] });
    root[Symbol.dispose]();
    const { code, text } = await failure(project.call('search_codebase', { query: 'x' }));
    expect(code).toBe('NEXUS_NOT_FOUND');
    expect(text).toContain(root.path);
  });

  it('takes an empty directory as the project', async () => {
    await using project = await startProject({ 'a.ts': 'hit' });
    expect(at(await project.answer('search_codebase', { query: 'hit', directory: '' }))).toEqual(['a.ts:1']);
  });

  it('narrows by directory and by globs, which are relative to it', async () => {
    await using project = await startProject({ 'a/x/k.ts': 'hit', 'a/k.md': 'hit', 'b/x/k.ts': 'hit' });
    const search = (input: object) => project.answer<Answer>('search_codebase', { query: 'hit', ...input });
    expect(at(await search({ directory: 'a' }))).toEqual(['a/k.md:1', 'a/x/k.ts:1']);
    expect(at(await search({ directory: 'a', glob: 'x/**' }))).toEqual(['a/x/k.ts:1']);
    expect(at(await search({ glob: '!*.md' }))).toEqual(['a/x/k.ts:1', 'b/x/k.ts:1']);
    expect(at(await search({ directory: 'a/k.md' }))).toEqual(['a/k.md:1']);
  });

  it('searches the client’s roots beside the project and names their files absolutely', async () => {
    using other = makeFolder({ 'lib/b.ts': 'needle' });
    const roots = [{ path: other.path, name: 'other' }];
    await using project = await startProject({ 'a.ts': 'needle' }, { roots });
    expect(at(await project.answer('search_codebase', { query: 'needle' }))).toEqual([
      'a.ts:1',
      `${other.path}/lib/b.ts:1`,
    ]);
    expect(at(await project.answer('search_codebase', { query: 'needle', directory: 'lib' }))).toEqual([
      `${other.path}/lib/b.ts:1`,
    ]);
  });

  it('gives each hit once when a client’s root lies in the project', async () => {
    await using outer = await startProject({ 'sub/a.ts': 'needle' });
    const roots = [
      { path: join(outer.path, 'sub'), name: 'sub' },
      { path: outer.path, name: 'same' },
    ];
    await using project = await startProject({}, { projectRoot: outer.path, roots });
    expect(at(await project.answer('search_codebase', { query: 'needle' }))).toEqual(['sub/a.ts:1']);
  });

  it('handles names and text beyond ASCII, Windows line ends and UTF-16', async () => {
    await using project = await startProject({
      'größe/日本.ts': 'erste\r\nconst größe = "日本";\r\nende\r\n',
      'wide.txt': Buffer.from('\ufeffvor\nLänge\n', 'utf16le'),
    });
    const { hits } = await project.answer<Answer>('search_codebase', { query: 'größe', context: 1 });
    expect(hits).toEqual([
      {
        file: 'größe/日本.ts',
        line: 2,
        text: 'const größe = "日本";',
        context: ['1- erste', '3- ende'],
      },
    ]);
    expect(at(await project.answer('search_codebase', { query: '日本";$', mode: 'regex' }))).toEqual([
      'größe/日本.ts:2',
    ]);
    expect((await project.answer<Answer>('search_codebase', { query: 'Läng' })).hits[0]?.text).toBe('Länge');
  });

  it('cuts a huge line around its match, and says how much is left and where read_file goes on', async () => {
    const line = `${'ä'.repeat(5_000)}needle${'y'.repeat(5_000)}`;
    await using project = await startProject({ 'a.js': `first\n${line}` });
    const { hits } = await project.answer<Answer>('search_codebase', { query: 'needle' });
    const [, before, shown = '', left, lines] =
      /^\((\d+) characters before\) …(ä+needley+)… \((\d+) more characters: lines "(2:\d+)"\)$/.exec(
        hits[0]?.text ?? '',
      ) ?? [];
    expect(Number(before) + shown.length + Number(left)).toBe(line.length);
    expect(shown.length).toBe(300);
    const rest = await project.call('read_file', { path: 'a.js', lines });
    expect(rest.content[0]?.text?.split('\n')[1]).toBe(line.slice(-Number(left)));
  });

  it('states a bad pattern or glob with ripgrep’s own words', async () => {
    await using project = await startProject({ 'a.txt': 'x' });
    const pattern = await failure(project.call('search_codebase', { query: 'a(b', mode: 'regex' }));
    expect(pattern.code).toBe('NEXUS_INVALID_PATTERN');
    expect(pattern.text).toContain('unclosed group');
    const lookAhead = await failure(project.call('search_codebase', { query: 'a(?=b)', mode: 'regex' }));
    expect(lookAhead.code).toBe('NEXUS_INVALID_PATTERN');
    expect(lookAhead.text).toMatch(/look-around.*not supported/);
    expect(lookAhead.text).not.toContain('--pcre2');
    const twoLines = await failure(project.call('search_codebase', { query: 'a\nb' }));
    expect(twoLines.code).toBe('NEXUS_INVALID_PATTERN');
    const glob = await failure(project.call('search_codebase', { query: 'x', glob: '{a' }));
    expect(glob.code).toBe('NEXUS_INVALID_PATTERN');
    expect(glob.text).toContain('{a');
  });
});

describe('search_codebase on paths it must not or can’t read', () => {
  it('refuses paths outside the roots, by name, by .. and by symlink', async () => {
    using outside = makeFolder({ 'secret.txt': 'needle' });
    await using project = await startProject({ 'a.txt': 'needle' });
    symlinkSync(outside.path, join(project.path, 'link'));
    symlinkSync(join(outside.path, 'secret.txt'), join(project.path, 'file-link.txt'));
    for (const directory of [
      outside.path,
      '../',
      '..',
      'link',
      'link/secret.txt',
      'file-link.txt',
      '../none',
      'link/none',
    ]) {
      const { code, text } = await failure(project.call('search_codebase', { query: 'needle', directory }));
      expect(code, directory).toBe('NEXUS_OUTSIDE_ROOTS');
      expect(text).toContain(directory);
    }
    expect(at(await project.answer('search_codebase', { query: 'needle' }))).toEqual(['a.txt:1']);
  });

  it('follows a symlink that stays inside', async () => {
    await using project = await startProject({ 'real/a.txt': 'needle' });
    symlinkSync(join(project.path, 'real'), join(project.path, 'alias'));
    expect(at(await project.answer('search_codebase', { query: 'needle', directory: 'alias' }))).toEqual([
      'real/a.txt:1',
    ]);
  });

  it('names the nearest for a path that does not exist', async () => {
    await using project = await startProject({ 'src/server/index.ts': 'x' });
    const { code, text } = await failure(
      project.call('search_codebase', { query: 'x', directory: 'src/sever/index.ts' }),
    );
    expect(code).toBe('NEXUS_NOT_FOUND');
    expect(text).toContain('src/server');
  });

  it('says so when a named file is binary or too large, and in folders passes over both, saying the latter', async () => {
    await using project = await startProject(
      { 'a.bin': Buffer.from('needle\0\x01'), 'b.txt': `needle${'x'.repeat(5_000)}`, 'c.txt': 'needle' },
      { options: { maxFileBytes: 2_000 } },
    );
    const binary = await failure(project.call('search_codebase', { query: 'needle', directory: 'a.bin' }));
    expect(binary).toMatchObject({ code: 'NEXUS_FILE_UNREADABLE', text: expect.stringContaining('binary') });
    const huge = await failure(project.call('search_codebase', { query: 'needle', directory: 'b.txt' }));
    expect(huge).toMatchObject({ code: 'NEXUS_FILE_UNREADABLE', text: expect.stringContaining('2000') });
    const found = await project.answer<Answer>('search_codebase', { query: 'needle' });
    expect(at(found)).toEqual(['c.txt:1']);
    const said =
      'Not searched: 1 file of more than 2000 bytes, which code.maxFileBytes in the config raises: b.txt.';
    expect(found.notes).toEqual([said]);
    expect(await project.answer('search_usages', { symbol: 'needle' })).toMatchObject({ notes: [said] });
    // The first of several pages is not all there is anyway.
    project.write({ 'd.txt': 'needle' });
    const first = await project.answer<Answer>('search_codebase', { query: 'needle', limit: 1 });
    expect(first).not.toHaveProperty('notes');
    expect(await project.answer('list_files')).toMatchObject({ total: 4 });
  });

  it('says which texts it could not see since they are not UTF-8, and reads each that is named', async () => {
    const files = {
      'a.txt': Buffer.from('a needle in Köln', 'utf16le'),
      'b.txt': Buffer.from('a needle in Köln', 'latin1'),
      'c.txt': Buffer.from('\ufeffa needle in Köln', 'utf16le'),
      'd.txt': Buffer.from([0xff, 0xfe, 0, 0, 0x6e, 0, 0, 0, 0x65, 0, 0, 0]),
      'e.bin': Buffer.from([0, 1, 0, 2, 0, 1]),
    };
    await using project = await startProject(files);
    const search = (query: string, directory?: string) =>
      project.answer<Answer>('search_codebase', { query, ...(directory && { directory }) });
    const ascii = await search('needle');
    expect(at(ascii)).toEqual(['b.txt:1', 'c.txt:1']);
    expect(ascii.hits).toMatchObject([{ text: 'a needle in Köln' }, { text: 'a needle in Köln' }]);
    expect(ascii.notes).toEqual([expect.stringMatching(/^Not searched: 2 files that are not UTF-8: /)]);
    for (const named of ['a.txt (UTF-16LE)', 'd.txt (UTF-32LE)']) expect(ascii.notes?.[0]).toContain(named);
    const other = await search('Köln');
    expect(at(other)).toEqual(['c.txt:1']);
    expect(other.notes?.[0]).toContain('b.txt (Windows-1252)');
    for (const file of ['a.txt', 'b.txt', 'c.txt']) {
      const { hits } = await search('Köln', file);
      expect(hits).toMatchObject([{ file, line: 1, text: 'a needle in Köln' }]);
    }
    const refused = await failure(project.call('search_codebase', { query: 'ne', directory: 'd.txt' }));
    expect(refused).toMatchObject({ code: 'NEXUS_FILE_UNREADABLE', text: expect.stringContaining('UTF-32') });
  });

  // Windows has no device in the file tree.
  it.runIf(process.platform !== 'win32')('says so when a named path is neither file nor folder', async () => {
    await using project = await startProject({});
    symlinkSync('/dev/null', join(project.path, 'null'));
    const roots = [{ path: '/dev', name: 'dev' }];
    await using wide = await startProject({}, { projectRoot: project.path, roots });
    const { code } = await failure(wide.call('search_codebase', { query: 'x', directory: 'null' }));
    expect(code).toBe('NEXUS_FILE_UNREADABLE');
  });

  // Root reads everything, so there is nothing to be refused.
  it.runIf(process.getuid?.() !== 0)('notes files that it may not read, and still answers', async () => {
    await using project = await startProject({ 'a.txt': 'needle', 'b.txt': 'needle' });
    chmodSync(join(project.path, 'a.txt'), 0);
    const answer = await project.answer<Answer>('search_codebase', { query: 'needle' });
    expect(at(answer)).toEqual(['b.txt:1']);
    expect(answer.notes?.join()).toContain('a.txt');
  });

  it('says how to get ripgrep when there is none', async () => {
    await using project = await startProject({}, { options: { ripgrepPath: '/nowhere/rg' } });
    const { code, text } = await failure(project.call('search_codebase', { query: 'x' }));
    expect(code).toBe('NEXUS_UNAVAILABLE');
    expect(text).toContain('ripgrepPath');
  });
});
