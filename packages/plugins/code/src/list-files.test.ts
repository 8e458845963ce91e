import { describe, expect, it } from 'vitest';
import { failure, startProject } from '../test/start-project.ts';

interface Answer {
  readonly files: readonly string[];
  readonly total: number;
  readonly nextOffset?: number;
  readonly notes?: readonly string[];
}

describe('list_files', () => {
  it('lists what ignore files leave, below a folder, by a glob, and reads as one line a folder', async () => {
    await using project = await startProject({
      '.gitignore': 'dist\n',
      'dist/x.js': '',
      'README.md': '',
      'src/a.ts': '',
      'src/b.ts': '',
      'src/deep/c.md': '',
    });
    const list = (input: Readonly<Record<string, unknown>>) => project.answer<Answer>('list_files', input);
    expect(await list({})).toEqual({
      files: ['.gitignore', 'README.md', 'src/a.ts', 'src/b.ts', 'src/deep/c.md'],
      total: 5,
    });
    expect((await list({ directory: 'src' })).files).toEqual(['src/a.ts', 'src/b.ts', 'src/deep/c.md']);
    expect((await list({ glob: '*.md' })).files).toEqual(['README.md', 'src/deep/c.md']);
    const { content } = await project.call('list_files', {});
    expect(content[0]?.text).toBe('5 files.\n./ .gitignore  README.md\nsrc/ a.ts  b.ts\nsrc/deep/ c.md');
  });

  it('gives every file by its pages, whole, with the total on each', async () => {
    const names = Array.from({ length: 900 }, (_, at) => `${'folder/'.repeat(8)}${at}${'x'.repeat(60)}.txt`);
    await using project = await startProject(Object.fromEntries(names.map((name) => [name, ''])));
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const result = await project.call('list_files', { limit: 2_000, offset });
      const page = result.structuredContent as unknown as Answer;
      expect(JSON.stringify(page).length + (result.content[0]?.text?.length ?? 0)).toBeLessThan(50_000);
      expect(page.total).toBe(900);
      seen.push(...page.files);
      offset = page.nextOffset;
    }
    expect(seen).toEqual([...names].sort());
  });

  it('says where a glob would have matched, and what is not there', async () => {
    await using project = await startProject({ 'src/core/a.ts': '' });
    expect((await project.answer<Answer>('list_files', { glob: 'core/*' })).notes).toEqual([
      'No file matches the glob core/*, which counts from the root. **/core/* matches 1, such as src/core/a.ts.',
    ]);
    const { code } = await failure(project.call('list_files', { directory: '../..' }));
    expect(code).toBe('NEXUS_OUTSIDE_ROOTS');
  });

  it.each([
    ['!/*', 'The glob !/* leaves out all files (1), such as Top.md: a leading ! says what is not wanted.'],
    ['*.MD', 'No file matches the glob *.MD. In another case it matches 1, such as Top.md.'],
    [
      '**/top.md',
      'No file matches the glob **/top.md, which counts from the root. In another case it matches 1, such as Top.md.',
    ],
    ['*.xyz', 'No file matches the glob *.xyz.'],
  ])('says why no file is given by the glob %s', async (glob, hint) => {
    await using project = await startProject({ 'Top.md': '' });
    expect(await project.answer<Answer>('list_files', { glob })).toMatchObject({ files: [], notes: [hint] });
  });

  it('says so where there is nothing', async () => {
    await using project = await startProject({});
    for (const input of [{}, { glob: '!b.ts' }])
      expect((await project.answer<Answer>('list_files', input)).notes).toEqual([
        'There is no file that ignore files leave.',
      ]);
  });

  it('says how a project is laid out where it has more files than are given', async () => {
    const names = Array.from({ length: 9 }, (_, at) => `a/deep/${at}.ts`);
    const files = [...names, 'z/x.ts', 'z/y.ts', 'package.json', 'odd, name'];
    await using project = await startProject(Object.fromEntries(files.map((name) => [name, ''])));
    const list = (input: Readonly<Record<string, unknown>>) => project.answer<Answer>('list_files', input);
    const layout =
      'All in all: "odd, name", package.json; a/ (9), z/ (2). The glob /* gives a folder’s own files.';
    expect((await list({ limit: 3 })).notes).toEqual([layout]);
    expect((await list({ limit: 3, offset: 3 })).notes).toBe(undefined);
    expect((await list({})).notes).toBe(undefined);
    for (const glob of ['/*', './*']) {
      expect((await list({ glob })).files).toEqual(['odd, name', 'package.json']);
    }
  });
});
