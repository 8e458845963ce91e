import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makeFolder, type Project, startProject } from '../../test/start-project.ts';
import { FolderWatch } from '../watching/folder-watch.ts';

interface Answer {
  hits: { file: string; symbol: string }[];
}

async function symbols(project: Project, query = 'v'): Promise<string[]> {
  const answer = await project.answer<Answer>('search_codebase', {
    query,
    mode: 'symbol',
    context: 0,
    limit: 200,
  });
  return answer.hits.map(({ file, symbol }) => `${file} ${symbol}`).sort();
}

describe.each([
  ['learning of changes by events', true],
  ['looking at each file’s time', false],
])('the symbol index, %s', (_how, watch) => {
  it('sees an edited, an added and a deleted file in the very next call', async () => {
    await using project = await startProject(
      { 'a.ts': 'const v1 = 1;', 'b.ts': 'const v2 = 1;' },
      { options: { watch } },
    );
    expect(await symbols(project)).toEqual(['a.ts v1', 'b.ts v2']);
    // Each change keeps the size, and some come within one tick of the file system's clock.
    for (let n = 3; n < 10; n += 1) {
      project.write({ 'a.ts': `const v${n} = 1;` });
      expect(await symbols(project)).toEqual([`a.ts v${n}`, 'b.ts v2']);
    }
    project.write({ 'deep/er/c.ts': 'const v10 = 1;' });
    expect(await symbols(project)).toEqual(['a.ts v9', 'b.ts v2', 'deep/er/c.ts v10']);
    rmSync(join(project.path, 'b.ts'));
    expect(await symbols(project)).toEqual(['a.ts v9', 'deep/er/c.ts v10']);
    project.write({ 'b.ts': 'const v11 = 1;' });
    expect(await symbols(project)).toEqual(['a.ts v9', 'b.ts v11', 'deep/er/c.ts v10']);
  });

  it('sees folders moved, removed, made anew and filled', async () => {
    await using project = await startProject(
      { 'one/a.ts': 'const v1 = 1;', 'b.ts': '' },
      { options: { watch } },
    );
    await symbols(project);
    renameSync(join(project.path, 'one'), join(project.path, 'two'));
    expect(await symbols(project)).toEqual(['two/a.ts v1']);
    project.write({ 'two/a.ts': 'const v2 = 1;' });
    expect(await symbols(project)).toEqual(['two/a.ts v2']);
    rmSync(join(project.path, 'two'), { recursive: true });
    project.write({ 'two/a.ts': 'const v3 = 1;' });
    expect(await symbols(project)).toEqual(['two/a.ts v3']);
    project.write({ 'two/a.ts': 'const v4 = 1;' });
    expect(await symbols(project)).toEqual(['two/a.ts v4']);
    mkdirSync(join(project.path, 'empty'));
    await symbols(project);
    project.write({ 'empty/c.ts': 'const v5 = 1;' });
    expect(await symbols(project)).toEqual(['empty/c.ts v5', 'two/a.ts v4']);
  });

  it('follows .gitignore as it changes', async () => {
    await using project = await startProject(
      { 'gen/a.ts': 'const v1 = 1;', 'b.ts': 'const v2 = 1;' },
      { options: { watch } },
    );
    expect(await symbols(project)).toEqual(['b.ts v2', 'gen/a.ts v1']);
    project.write({ '.gitignore': 'gen/\n' });
    expect(await symbols(project)).toEqual(['b.ts v2']);
    project.write({ 'gen/a.ts': 'const v3 = 1;' });
    project.write({ '.gitignore': '' });
    expect(await symbols(project)).toEqual(['b.ts v2', 'gen/a.ts v3']);
    project.write({ 'gen/a.ts': 'const v4 = 1;' });
    expect(await symbols(project)).toEqual(['b.ts v2', 'gen/a.ts v4']);
  });

  it('forgets a file that turns binary or grows beyond the limit, and finds it when it shrinks', async () => {
    const options = { watch, maxFileBytes: 2_000 };
    await using project = await startProject(
      { 'a.ts': 'const v1 = 1;', 'b.ts': 'const v2 = 1;' },
      { options },
    );
    await symbols(project);
    project.write({ 'a.ts': `const v3 = 1;${' '.repeat(2_000)}`, 'b.ts': 'const v4 = 1;\0' });
    expect(await symbols(project)).toEqual([]);
    project.write({ 'a.ts': 'const v5 = 1;', 'b.ts': 'const v6 = 1;' });
    expect(await symbols(project)).toEqual(['a.ts v5', 'b.ts v6']);
  });
});

describe('the symbol index', () => {
  it('sees more changes at once than the kernel keeps events for', async () => {
    await using project = await startProject({ 'a.ts': 'const v1 = 1;', 'z.log': '' });
    await symbols(project);
    const log = join(project.path, 'z.log');
    // Two files in turn, since equal events in a row are kept as one.
    for (let n = 0; n < 9_000; n += 1) {
      appendFileSync(log, 'x');
      appendFileSync(`${log}2`, 'x');
    }
    project.write({ 'a.ts': 'const v2 = 1;' });
    expect(await symbols(project)).toEqual(['a.ts v2']);
  });

  it('looks at each file when the system watches no more folders, and says so once', async () => {
    const full = Object.assign(new Error('System limit for number of file watchers reached'), {
      code: 'ENOSPC',
    });
    const add = vi.spyOn(FolderWatch.prototype, 'add').mockImplementation(() => {
      throw full;
    });
    await using project = await startProject({ 'a.ts': 'const v1 = 1;' });
    expect(await symbols(project)).toEqual(['a.ts v1']);
    project.write({ 'a.ts': 'const v2 = 1;', 'b.ts': 'const v3 = 1;' });
    expect(await symbols(project)).toEqual(['a.ts v2', 'b.ts v3']);
    add.mockRestore();
    if (process.platform === 'linux')
      expect(project.log.filter(({ message }) => message.startsWith('code: '))).toMatchObject([
        { level: 'warn' },
      ]);
  });

  it('goes on where a cancelled call left off', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}.js`, `const v${n} = 1;`]));
    await using project = await startProject(files);
    const controller = new AbortController();
    const call = project.call(
      'search_codebase',
      { query: 'v', mode: 'symbol' },
      { signal: controller.signal, progress: () => controller.abort() },
    );
    expect((await call).isError).toBe(true);
    expect(await symbols(project)).toHaveLength(200);
  });

  it('keeps what it parsed over a restart, by content, and checks it against the files', async () => {
    using data = makeFolder();
    using folder = makeFolder({ 'a.ts': 'const v1 = 1;', 'b.ts': 'const v2 = 1;' });
    const start = () => startProject({}, { projectRoot: folder.path, dataDir: data.path });
    {
      await using project = await startProject({}, { projectRoot: folder.path, dataDir: data.path });
      await symbols(project);
    }
    const [name = ''] = readdirSync(join(data.path, 'code'));
    const cache = join(data.path, 'code', name);
    // What the cache says is what is answered, as long as the content is that of the file.
    writeFileSync(cache, readFileSync(cache, 'utf8').replaceAll('"name":"v', '"name":"vCached'));
    utimesSync(join(folder.path, 'a.ts'), 0, 0);
    folder.write({ 'b.ts': 'const v3 = 1;', 'c.ts': 'const v4 = 1;' });
    const before = readFileSync(cache, 'utf8');
    {
      await using project = await start();
      expect(await symbols(project)).toEqual(['a.ts vCached1', 'b.ts v3', 'c.ts v4']);
    }
    // What changed was added, and nothing was written anew.
    const after = readFileSync(cache, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    const added = after.slice(before.length).trim().split('\n');
    expect(added.map((line) => JSON.parse(line)[0]).sort()).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });

  it.each([
    ['made by other grammars', (text: string) => text.replace(/^./, (first) => (first === '0' ? '1' : '0'))],
    ['cut off', (text: string) => text.slice(0, -20)],
    ['no cache at all', () => 'nonsense\n{}'],
  ])('parses again when the cache is %s', async (_what, spoil) => {
    using data = makeFolder();
    using folder = makeFolder({ 'a.ts': 'const v1 = 1;' });
    {
      await using project = await startProject({}, { projectRoot: folder.path, dataDir: data.path });
      await symbols(project);
    }
    const [name = ''] = readdirSync(join(data.path, 'code'));
    const cache = join(data.path, 'code', name);
    writeFileSync(cache, spoil(readFileSync(cache, 'utf8').replaceAll('"name":"v', '"name":"vCached')));
    await using project = await startProject({}, { projectRoot: folder.path, dataDir: data.path });
    expect(await symbols(project)).toEqual(['a.ts v1']);
  });
});
