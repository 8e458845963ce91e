import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure, makeFolder, startProject } from '../../test/start-project.ts';

interface Answer {
  hits: { file: string; symbol: string; line?: number }[];
  symbols: { file: string; name: string }[];
  references: { file: string }[];
  total: number;
  unread?: { total: number; files: { file: string; reason: string }[] };
}

/** Corrupts the memory of tree-sitter's one WebAssembly instance. */
const TRAP = '{a:'.repeat(5_000);
/** Its query takes seconds. */
const SLOW = '['.repeat(50_000);
const SYMBOL = { mode: 'symbol', context: 0 };

describe('a file that its parser cannot take', () => {
  it('is named in each answer that lacks it, and costs the others nothing', async () => {
    await using project = await startProject({
      'a.js': 'export function a() { return b(); }',
      'trap.js': TRAP,
      'z.js': 'export function z() { return a(); }',
    });
    const named = {
      total: 1,
      files: [{ file: 'trap.js', reason: expect.stringContaining('the parser failed') }],
    };
    const found = await project.answer<Answer>('search_codebase', { query: 'z', ...SYMBOL });
    expect(found).toMatchObject({ hits: [{ file: 'z.js' }], total: 1, unread: named });
    const listed = await project.answer<Answer>('extract_symbols', { glob: '*.js' });
    expect(listed.symbols.map(({ name }) => name)).toEqual(['a', 'z']);
    expect(listed.unread).toEqual(named);
    const used = await project.answer<Answer>('search_usages', { symbol: 'a' });
    expect(used).toMatchObject({ references: [{ file: 'z.js' }], unread: named });
    const elsewhere = await project.answer<Answer>('search_codebase', { query: 'z', ...SYMBOL, glob: 'z*' });
    expect(elsewhere.unread).toBeUndefined();
    const { code, text } = await failure(project.call('extract_symbols', { filePath: 'trap.js' }));
    expect(code).toBe('NEXUS_FILE_UNREADABLE');
    expect(text).toContain('trap.js');
  });

  it('is named when it takes too long', async () => {
    await using project = await startProject({ 'slow.js': SLOW, 'z.js': 'export function z() {}' });
    const found = await project.answer<Answer>('search_codebase', { query: 'z', ...SYMBOL });
    expect(found.hits).toMatchObject([{ file: 'z.js' }]);
    expect(found.unread).toEqual({
      total: 1,
      files: [{ file: 'slow.js', reason: expect.stringMatching(/took longer than \d+ ms/) }],
    });
  });

  it('is tried again when it changed, also to another such content', async () => {
    await using project = await startProject({ 'a.js': TRAP });
    const search = () => project.answer<Answer>('search_codebase', { query: 'fine', ...SYMBOL });
    expect((await search()).unread?.total).toBe(1);
    project.write({ 'a.js': 'function fine() {}' });
    expect(await search()).toMatchObject({ total: 1 });
    expect((await search()).unread).toBeUndefined();
    project.write({ 'a.js': `${TRAP} ` });
    expect(await search()).toMatchObject({ total: 0, unread: { total: 1 } });
  });

  it('is still known to a server that starts later', async () => {
    using folder = makeFolder({ 'a.js': TRAP, 'b.js': 'function b() {}' });
    using data = makeFolder();
    const search = async () => {
      await using project = await startProject({}, { projectRoot: folder.path, dataDir: data.path });
      return await project.answer<Answer>('search_codebase', { query: 'b', ...SYMBOL });
    };
    const first = await search();
    expect(first.unread?.total).toBe(1);
    expect(await search()).toEqual(first);
  });

  it('is one of many: twenty are named, all are counted', async () => {
    // Each content that is new ends a thread, and to load one from source takes half a second.
    const files = Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [`t${at}.js`, `${TRAP}${at % 2}`]),
    );
    await using project = await startProject({ ...files, 'z.js': 'function z() {}' });
    const found = await project.answer<Answer>('search_codebase', { query: 'z', ...SYMBOL });
    expect(found).toMatchObject({ total: 1, unread: { total: 25 } });
    expect(found.unread?.files).toHaveLength(20);
  });

  it('gives way to the caller who cancels', async () => {
    await using project = await startProject({ 'slow.js': SLOW });
    const cancel = new AbortController();
    const call = project.call('search_codebase', { query: 'z', ...SYMBOL }, { signal: cancel.signal });
    cancel.abort();
    expect((await failure(call)).code).toBe('NEXUS_CANCELLED');
  });
});

describe('a file that declares more than anyone reads', () => {
  it('gives its first symbols, and says so', async () => {
    const names = Array.from({ length: 10_001 }, (_, at) => `s${at}`);
    await using project = await startProject({ 'a.ts': names.map((name) => `let ${name};`).join('') });
    const found = await project.answer<Answer>('search_codebase', { query: 's9999', ...SYMBOL });
    expect(found).toMatchObject({ total: 1, unread: { files: [{ file: 'a.ts' }] } });
    expect((await project.answer<Answer>('search_codebase', { query: 's10000', ...SYMBOL })).total).toBe(0);
    expect((await project.answer<Answer>('extract_symbols', { filePath: 'a.ts' })).total).toBe(10_001);
  });

  it('or a name of a megabyte, which is cut', async () => {
    await using project = await startProject({ 'a.ts': `let ${'n'.repeat(1_000_000)};` });
    const found = await project.answer<Answer>('search_codebase', { query: 'nnn', ...SYMBOL });
    expect(found.hits[0]?.symbol.length).toBeLessThan(300);
  });
});

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  it('is passed over under the name of a source file, and refused when it is named', async () => {
    await using project = await startProject({ 'a.ts': 'export const found = 1;', 'folder.ts/x.md': '' });
    execFileSync('mkfifo', [join(project.path, 'pipe.ts')]);
    symlinkSync('.', join(project.path, 'loop'));
    symlinkSync('nowhere', join(project.path, 'dangling.ts'));
    const server = createServer().listen(join(project.path, 'socket.ts'));
    try {
      for (const mode of ['text', 'symbol', 'path']) {
        const found = await project.answer<Answer>('search_codebase', { query: 'found', mode });
        expect(found.hits.map(({ file }) => file)).toEqual(mode === 'path' ? [] : ['a.ts']);
      }
      expect((await project.answer<Answer>('extract_symbols', { glob: '**' })).symbols).toHaveLength(1);
      for (const name of ['pipe.ts', 'socket.ts']) {
        const { code } = await failure(project.call('extract_symbols', { filePath: name }));
        expect(code, name).toBe('NEXUS_FILE_UNREADABLE');
      }
    } finally {
      server.close();
    }
  });

  it('takes the place of a file that was listed without being opened, as does a link', async () => {
    using outside = makeFolder({ 'secret.ts': 'export const secret = 1;' });
    await using project = await startProject({ 'a.ts': 'export const found = 1;', 'b.ts': 'const b = 1;' });
    const search = (query: string) => project.answer<Answer>('search_codebase', { query, mode: 'symbol' });
    expect((await search('found')).total).toBe(1);
    const [a, b] = [join(project.path, 'a.ts'), join(project.path, 'b.ts')];
    rmSync(a);
    rmSync(b);
    execFileSync('mkfifo', [a]);
    symlinkSync(join(outside.path, 'secret.ts'), b);
    expect((await search('found')).total).toBe(0);
    expect((await search('secret')).total).toBe(0);
    rmSync(a);
    writeFileSync(a, 'export const found = 2;');
    expect((await search('found')).total).toBe(1);
  });
});

describe('a repository’s own rules', () => {
  it.skipIf(process.platform === 'win32')(
    'may be a pipe, at which rg waits until its caller gives up or it is found',
    async () => {
      using quiet = makeFolder({ 'q.ts': 'export const quiet = 1;' });
      const roots = [{ path: quiet.path, name: 'quiet' }];
      await using project = await startProject({ 'a.ts': '', 'sub/b.ts': '' }, { roots });
      execFileSync('mkfifo', [join(project.path, 'sub/.gitignore')]);
      const cancel = new AbortController();
      const stuck = project.call('search_codebase', { query: 'found', ...SYMBOL }, { signal: cancel.signal });
      const elsewhere = { query: 'quiet', ...SYMBOL, directory: quiet.path };
      expect((await project.answer<Answer>('search_codebase', elsewhere)).total).toBe(1);
      cancel.abort();
      // What rg waits for may have been found by then.
      expect(['NEXUS_CANCELLED', 'NEXUS_FILE_UNREADABLE']).toContain((await failure(stuck)).code);
    },
  );

  it('may be made to take for ever', async () => {
    await using project = await startProject({
      '.gitignore': `${'*a'.repeat(60)}b/`,
      [`${'a'.repeat(200)}/a.ts`]: 'export const found = 1;',
    });
    const found = await project.answer<Answer>('search_codebase', { query: 'found', ...SYMBOL });
    expect(found.total).toBe(1);
  });
});

describe('names that are made to confuse', () => {
  it.skipIf(process.platform === 'win32')('hold newlines, colons and control characters', async () => {
    const name = 'x\n12:3:y\u001b[31m.ts';
    await using project = await startProject({ [name]: 'export const found = 1;\n', 'z.ts': 'found;\n' });
    const found = await project.answer<Answer>('search_codebase', { query: 'found', context: 0 });
    expect(found.hits.map(({ file, line }) => ({ file, line }))).toEqual([
      { file: name, line: 1 },
      { file: 'z.ts', line: 1 },
    ]);
    expect(found.total).toBe(2);
    expect((await project.answer<Answer>('search_usages', { symbol: 'found' })).references).toMatchObject([
      { file: 'z.ts' },
    ]);
  });
});
