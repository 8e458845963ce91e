import { join } from 'node:path';
import type { WorkerPool, WorkerPoolOptions, Workers } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { makeFolder, startProject } from '../../test/start-project.ts';
import { SourceParsing } from './source-parsing.ts';
import type { Parsed, ParseTask } from './task.ts';

const TRAP = '{a:'.repeat(5_000);
const never = new AbortController().signal;
const want = () => ({ of: 'symbols', depth: 'all' }) as const;

/** The real workers, and every task that they are given. */
async function counted() {
  const project = await startProject({});
  const tasks: ParseTask[] = [];
  const workers: Workers = {
    pool<Task, Answer>(options: WorkerPoolOptions): WorkerPool<Task, Answer> {
      const pool = project.host.workers.pool<Task, Answer>(options);
      return {
        run(task, limits) {
          tasks.push(task as unknown as ParseTask);
          return pool.run(task, limits);
        },
      };
    },
  };
  return { parsing: new SourceParsing(workers, 1_024 * 1_024), tasks, project };
}

async function parse(parsing: SourceParsing, paths: readonly string[], signal = never): Promise<Parsed[]> {
  const all: Parsed[] = [];
  const files = paths.map((path) => ({ path }));
  for await (const part of parsing.parse(files, { want, signal })) all.push(...part);
  return all;
}

it('tries a content that failed once alone, and then no more, under whatever name it lies', async () => {
  const { parsing, tasks, project } = await counted();
  await using _ = project;
  using folder = makeFolder({ 'a.js': TRAP, 'b.js': TRAP, 'c.js': 'let c;' });
  const paths = ['a.js', 'b.js', 'c.js'].map((name) => join(folder.path, name));
  expect((await parse(parsing, paths)).map(({ status }) => status)).toEqual(['failed', 'failed', 'parsed']);
  // All together, then each alone; the second has the first one's content.
  expect(tasks.map(({ files }) => files.length)).toEqual([3, 1, 1, 1]);
  tasks.length = 0;
  expect((await parse(parsing, paths)).map(({ status }) => status)).toEqual(['failed', 'failed', 'parsed']);
  expect(tasks.map(({ files }) => files.length)).toEqual([3]);
});

it('answers for each of many files in their order, in parts', async () => {
  const { parsing, project } = await counted();
  await using _ = project;
  const names = Array.from({ length: 150 }, (_, at) => `f${at}.ts`);
  using folder = makeFolder(Object.fromEntries(names.map((name, at) => [name, `let s${at};`])));
  const parsed = await parse(
    parsing,
    names.map((name) => join(folder.path, name)),
  );
  const found = parsed.map(
    (each) => each.status === 'parsed' && each.found.of === 'symbols' && each.found.symbols,
  );
  expect(found).toMatchObject(names.map((_, at) => [{ name: `s${at}` }]));
});

it('says what is no text, too large or gone', async () => {
  const { parsing, project } = await counted();
  await using _ = project;
  using folder = makeFolder({
    'binary.ts': 'let a;\0',
    'large.ts': ' '.repeat(1_024 * 1_024 + 1),
    'sub/x.ts': '',
  });
  const paths = ['binary.ts', 'large.ts', 'gone.ts', 'sub'].map((name) => join(folder.path, name));
  expect(await parse(parsing, paths)).toMatchObject([
    { status: 'unreadable', reason: 'it is binary' },
    { status: 'unreadable', reason: expect.stringContaining('code.maxFileBytes') },
    { status: 'unreadable', reason: expect.stringContaining('ENOENT') },
    { status: 'unreadable', reason: expect.stringContaining('no regular file') },
  ]);
});

it('ends when its caller gives up, and goes on for the next', async () => {
  const { parsing, project } = await counted();
  await using _ = project;
  using folder = makeFolder({ 'slow.js': '['.repeat(50_000), 'a.js': 'let a;' });
  const caller = new AbortController();
  const parsed = parse(parsing, [join(folder.path, 'slow.js')], caller.signal);
  caller.abort(new Error('given up'));
  await expect(parsed).rejects.toThrow('given up');
  expect(await parse(parsing, [join(folder.path, 'a.js')])).toMatchObject([{ status: 'parsed' }]);
});
