import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Files, failure, makeFolder, startProject } from '../test/start-project.ts';

const source = [
  'export class Basket {',
  '  add(item: string) {',
  '    return item;',
  '  }',
  '}',
  'export function add(a: number) {',
  '  return a + 1;',
  '}',
  '',
].join('\n');

async function read(files: Files, args: Readonly<Record<string, unknown>>): Promise<string> {
  await using project = await startProject(files);
  const { content, isError, structuredContent } = await project.call('read_file', args);
  expect(isError).toBeFalsy();
  expect(structuredContent).toBeUndefined();
  return content.map(({ text }) => text).join('\n');
}

async function refusal(files: Files, args: Readonly<Record<string, unknown>>) {
  await using project = await startProject(files);
  return await failure(project.call('read_file', args));
}

describe('read_file', () => {
  it('gives a file as plain numbered lines, as they are', async () => {
    expect(await read({ 'a.txt': '  "one"\\n\r\n\ttwo\n\nfour' }, { path: 'a.txt' })).toBe(
      'a.txt: lines 1 to 4 of 4 lines.\n1\t  "one"\\n\n2\t\ttwo\n3\t\n4\tfour',
    );
  });

  it('has nothing in a line that ends it elsewhere or steers a terminal, in its name as little', async () => {
    const name = 'a: lines 1 to 9.txt';
    const text = 'one\r2\ttwo\u2028three\u0085\u001b[2J\n\tfour\r\n';
    expect(await read({ [name]: text }, { path: name })).toBe(
      `"${name}": lines 1 to 2 of 2 lines.\n1\tone\\r2\ttwo\\u2028three\\u0085\\u001b[2J\n2\t\tfour`,
    );
  });

  it.each([
    ['2', '2 to 2'],
    ['2-3', '2 to 3'],
    ['7-', '7 to 8'],
    ['7-99', '7 to 8'],
  ])('gives the lines %s', async (lines, said) => {
    const [head, ...rest] = (await read({ 'a.ts': source }, { path: 'a.ts', lines })).split('\n');
    const [from = 0, to = 0] = said.split(' to ').map(Number);
    expect(head).toBe(`a.ts: lines ${said} of 8 lines.`);
    expect(rest).toEqual(
      source
        .split('\n')
        .slice(from - 1, to)
        .map((line, at) => `${from + at}\t${line}`),
    );
  });

  it('gives each declaration of a name whole, and one of them by its parent', async () => {
    const both = await read({ 'a.ts': source }, { path: 'a.ts', symbol: 'add' });
    expect(both).toContain('a.ts: Basket.add, lines 2 to 4 of 8 lines.\n2\t  add(item: string) {');
    expect(both).toContain('a.ts: add, lines 6 to 8 of 8 lines.\n6\texport function add');
    expect(await read({ 'a.ts': source }, { path: 'a.ts', symbol: 'Basket.add' })).not.toContain('6\t');
  });

  it.each(['.git/config', '.git', 'sub/.GIT/config', 'link'])(
    'reads nothing of git’s own, where credentials may stand: %s',
    async (path) => {
      const config = '[remote "origin"]\n\turl = https://user:token@host/x\n';
      const files = { '.git/config': config, 'sub/.GIT/config': config, 'sub/a.txt': 'x' };
      await using project = await startProject(files, { options: { exclude: [] } });
      symlinkSync(join(project.path, '.git/config'), join(project.path, 'link'));
      expect((await failure(project.call('read_file', { path }))).code).toBe('NEXUS_OUTSIDE_ROOTS');
      // Nor by a search, whatever the config excludes.
      expect(await project.answer('search_codebase', { query: 'token' })).toMatchObject({ total: 0 });
      expect(await project.answer('list_files')).toMatchObject({ files: ['sub/a.txt'] });
    },
  );

  it.each(['.git', '.git/hooks'])(
    'reads nothing of git’s own by a root that lies in it: %s',
    async (root) => {
      using other = makeFolder({ '.git/a.txt': 'token', '.git/hooks/a.txt': 'token' });
      const path = join(other.path, root);
      const roots = [{ path, name: 'git' }];
      await using project = await startProject({ 'b.txt': 'x' }, { roots, options: { exclude: [] } });
      for (const asked of ['a.txt', join(path, 'a.txt')]) {
        const { code } = await failure(project.call('read_file', { path: asked }));
        expect(code).toBe(asked === 'a.txt' ? 'NEXUS_NOT_FOUND' : 'NEXUS_OUTSIDE_ROOTS');
      }
      const listed = await failure(project.call('list_files', { directory: path }));
      expect(listed).toMatchObject({
        code: 'NEXUS_OUTSIDE_ROOTS',
        text: expect.stringContaining('git’s own'),
      });
      expect(await project.answer('list_files')).toMatchObject({ files: ['b.txt'] });
      expect(await project.answer('search_codebase', { query: 'token' })).toMatchObject({ total: 0 });
    },
  );

  it('leaves whole lines out where they do not fit, and says where to go on', async () => {
    const long = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1} ${'x'.repeat(20)}`);
    const seen: string[] = [];
    for (let lines: string | undefined = '1-'; lines !== undefined; ) {
      const page: string = await read({ 'a.txt': long.join('\n') }, { path: 'a.txt', lines });
      const [head = '', ...shown] = page.split('\n');
      seen.push(...shown.map((line) => line.slice(line.indexOf('\t') + 1)));
      lines = /go on with lines "(\d+-\d+)"/.exec(head)?.[1];
    }
    expect(seen).toEqual(long);
  });

  it('reads a very long line whole, piece after piece, no character halved', async () => {
    const line = `${'x'.repeat(1_999)}${'😀\u001b"ä'.repeat(60_000)}`;
    await using project = await startProject({ 'a.js': `one\n${line}\nthree` });
    const ask = async (lines?: string) => {
      const { content } = await project.call('read_file', { path: 'a.js', ...(lines && { lines }) });
      return content.map(({ text }) => text).join('\n');
    };
    const begun = await ask();
    const [, text = '', left = '', first] =
      /^2\t(x+)… \((\d+) more characters: lines "(2:\d+)"\)$/m.exec(begun) ?? [];
    expect(begun).toContain('\n3\tthree');
    expect(text.length + Number(left)).toBe(line.length);
    let read = text;
    let pieces = 0;
    for (let lines = first; lines !== undefined; pieces += 1) {
      const piece = await ask(lines);
      const [head = '', body = ''] = piece.split('\n');
      expect(body.length).toBeLessThanOrEqual(22_000);
      read += body;
      lines = /go on with lines "(2:\d+)"/.exec(head)?.[1];
    }
    expect(read).toBe(line.replaceAll('\u001b', '\\u001b'));
    expect(pieces).toBeGreaterThan(10);
  });

  it.each([
    ['UTF-16LE', Buffer.from('Größe\nzwei\n', 'utf16le')],
    ['Windows-1252', Buffer.from('Größe\nzwei\n', 'latin1')],
  ])('says of a text that is not UTF-8 that it read it as %s', async (readAs, bytes) => {
    expect(await read({ 'a.txt': bytes }, { path: 'a.txt' })).toBe(
      `a.txt is not UTF-8 and has no mark of what it is; its bytes were read as ${readAs}.\na.txt: lines 1 to 2 of 2 lines.\n1\tGröße\n2\tzwei`,
    );
  });

  it('says of bytes that are no UTF-8 where most is', async () => {
    const bytes = Buffer.concat([Buffer.from('Größe ß'), Buffer.from([0xff])]);
    expect(await read({ 'a.txt': bytes }, { path: 'a.txt' })).toMatch(
      /^a\.txt has bytes that are no UTF-8; each stands here as \ufffd\.\n/,
    );
  });

  it('names the files of a missing one’s name first, wherever they are, in whatever case', async () => {
    const files = {
      'src/core/foo.ts': 'a',
      'src/fool.ts': 'b',
      'lib/deep/down/Foo.ts': 'c',
      'src/long.ts': 'd',
      'x/foo.ts/y.ts': 'e',
    };
    for (const path of ['foo.ts', 'src/foo.ts', 'nowhere/foo.ts']) {
      const { code, text } = await refusal(files, { path });
      expect(code).toBe('NEXUS_NOT_FOUND');
      expect(text).toMatch(
        /^There is no \S*foo\.ts\. Did you mean src\/core\/foo\.ts or lib\/deep\/down\/Foo\.ts( or src\/fool\.ts)?\?$/,
      );
      expect(text.includes('fool')).toBe(path === 'src/foo.ts');
    }
  });

  it('says that an empty file is empty', async () => {
    expect(await read({ 'a.txt': '' }, { path: 'a.txt' })).toBe('a.txt is empty.');
  });

  it.each([
    [
      { path: 'a.ts', lines: '9' },
      'NEXUS_INVALID_ARGUMENTS',
      /has 8 lines, so "9" names none of them\. The first is 1, as in "1-8"/,
    ],
    [{ path: 'a.ts', lines: '0-2' }, 'NEXUS_INVALID_ARGUMENTS', /"0-2" names none/],
    [{ path: 'a.ts', lines: '2:99' }, 'NEXUS_INVALID_ARGUMENTS', /line 2 of a\.ts has 21 characters/],
    [{ path: 'a.ts', lines: '9:1' }, 'NEXUS_INVALID_ARGUMENTS', /has 8 lines, so "9:1" names none/],
    [{ path: 'a.ts', lines: '4-2' }, 'NEXUS_INVALID_ARGUMENTS', /"4-2" names none/],
    [{ path: 'a.ts', lines: '1', symbol: 'add' }, 'NEXUS_INVALID_ARGUMENTS', /both came/],
    [{ path: 'a.ts', symbol: 'ad' }, 'NEXUS_NOT_FOUND', /declares no ad\. Did you mean add/],
    [
      { path: 'a.ts', offset: 4 },
      'NEXUS_INVALID_ARGUMENTS',
      /- offset: no such argument; did you mean lines\? By number from 1: 40-80, 40- on/,
    ],
    [{ path: 'b.ts' }, 'NEXUS_NOT_FOUND', /There is no b\.ts/],
    [{ path: '.' }, 'NEXUS_FILE_UNREADABLE', /is a folder/],
    [{ path: '/etc/hostname' }, 'NEXUS_OUTSIDE_ROOTS', /hostname/],
  ])('refuses %j and says why', async (args, code, text) => {
    const refused = await refusal({ 'a.ts': source }, args);
    expect(refused.code).toBe(code);
    expect(refused.text).toMatch(text);
  });
});
