import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { collectLog, programs } from '@nexus/testing';
import { expect, it, vi } from 'vitest';
import { makeFolder, startProject } from '../../test/start-project.ts';
import { stampOf } from '../parsing/file-stamp.ts';
import type { SourceParsing } from '../parsing/source-parsing.ts';
import type { LocalSymbol, SourceFile } from '../parsing/task.ts';
import { SymbolIndex } from './symbol-index.ts';

const filesOf = async (index: SymbolIndex) => (await index.groups()).flatMap(({ files }) => files);

const MANY = 700;
const many = (text: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`f${n}.js`, text(n)]));
interface Answer {
  hits: { symbol: string }[];
  total: number;
  totalIsLowerBound?: boolean;
  notes?: string[];
}

it('reads of many files those that have the name in their text, whatever its case, and the others afterwards', async () => {
  await using project = await startProject(
    many((n) => `const ${n % 100 === 7 ? 'Needle' : 'straw'}${n} = 1;`),
  );
  const messages: (string | undefined)[] = [];
  const progress = ({ message }: { message?: string }) => messages.push(message);
  const input = { query: 'needle', mode: 'symbol' };
  const { structuredContent } = await project.call('search_codebase', input, { progress });
  expect(structuredContent).toMatchObject({ total: 7 });
  expect(messages).toEqual(['Looking for needle in files that are not read yet']);
  const all = await project.answer<Answer>('search_codebase', { query: 'straw', mode: 'symbol' });
  expect(all).toMatchObject({ total: MANY - 7 });
  expect(all).not.toHaveProperty('totalIsLowerBound');
});

it('takes a name of other than plain letters for what it is in any spelling', async () => {
  await using project = await startProject(many((n) => `const ${n === 5 ? 'ŉame' : 'straw'}${n} = 1;`));
  const answer = await project.answer<Answer>('search_codebase', { query: 'ŉame', mode: 'symbol' });
  expect(answer.hits.map(({ symbol }) => symbol)).toEqual(['ŉame5']);
});

it('knows nothing of many changed files but what is in them now', async () => {
  await using project = await startProject(many((n) => `const old${n} = 1;`));
  await project.answer<Answer>('search_codebase', { query: 'old', mode: 'symbol' });
  project.write(many((n) => `const new${n} = 1;`));
  const answer = await project.answer<Answer>('search_codebase', { query: 'old', mode: 'symbol' });
  expect(answer.total).toBe(0);
});

/** Each file has the symbols, and the clock goes on by so much with each 32 of them. */
function startIndex(files: Record<string, string>, { symbols, batchMs = 0 }: Made) {
  const folder = makeFolder(files);
  const read: string[] = [];
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const parsing = {
    async *parse(wanted: readonly SourceFile[], { signal }: { signal: AbortSignal }) {
      for (let at = 0; at < wanted.length; at += 32) {
        signal.throwIfAborted();
        const batch = wanted.slice(at, at + 32);
        for (const { path } of batch) read.push(path);
        nowMs += batchMs;
        const found = { of: 'symbols', symbols, total: symbols.length, faultLines: [] } as const;
        // Read so long after their change that the files' times tell that they are as they were.
        const stamp = (path: string) => stampOf(lstatSync(path), Date.now() + 60_000);
        yield batch.map(({ path }) => ({ status: 'parsed', found, hash: '', stamp: stamp(path) }) as const);
      }
    },
  } as Pick<SourceParsing, 'parse'> as SourceParsing;
  const ripgrep = { binary: undefined, exclude: [], maxFileBytes: 1_000_000, privatePaths: [], programs };
  const index = new SymbolIndex({
    root: folder.path,
    ripgrep,
    parsing,
    cacheFile: join(folder.path, 'cache.jsonl'),
    maxFiles: 100_000,
    watch: false,
    log: collectLog().log,
  });
  const refresh = (name: string) =>
    index.refresh({
      signal: new AbortController().signal,
      progress: () => {},
      name,
      isWanted: () => true,
    });
  return {
    index,
    read,
    refresh,
    async [Symbol.asyncDispose]() {
      await index.close();
      clock.mockRestore();
      folder[Symbol.dispose]();
    },
  };
}

interface Made {
  readonly symbols: readonly LocalSymbol[];
  readonly batchMs?: number;
}

const symbol: LocalSymbol = {
  name: 'thing',
  kind: 'constant',
  signature: 'const thing',
  line: 1,
  endLine: 1,
  parent: null,
  isLocal: false,
};

it('answers after a while with what it could read, and says how many files it could not', async () => {
  await using started = startIndex(
    many(() => 'const thing = 1;'),
    { symbols: [symbol], batchMs: 5_000 },
  );
  expect(await started.refresh('thing')).toBe(MANY - 3 * 32);
  // What was left is read on meanwhile, and missing no more.
  await vi.waitFor(async () => expect(await filesOf(started.index)).toHaveLength(MANY));
  expect(await started.refresh('thing')).toBe(0);
});

it('says in an answer how many files with the name were not read in time', async () => {
  const refresh = vi.spyOn(SymbolIndex.prototype, 'refresh').mockResolvedValue(3);
  await using project = await startProject({ 'a.js': 'const thing = 1;' });
  const answer = await project.answer<Answer>('search_codebase', { query: 'thing', mode: 'symbol' });
  refresh.mockRestore();
  expect(answer).toMatchObject({
    totalIsLowerBound: true,
    notes: expect.arrayContaining([expect.stringContaining('3 files')]),
  });
});

it('forgets what it read first where all symbols are too many to keep, and reads it again for its name', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`f${n}.js`, n === 0 ? 'const thing = 1;' : 'const other = 1;']),
  );
  await using started = startIndex(files, { symbols: Array.from({ length: 10_000 }, () => symbol) });
  expect(await started.refresh('thing')).toBe(0);
  // All at first, since they are few.
  expect(started.read).toHaveLength(60);
  started.read.length = 0;
  expect(await started.refresh('none')).toBe(0);
  expect((await filesOf(started.index)).length).toBeLessThanOrEqual(40);
});

it('says of a file that is beyond the symbols of all that it is, and what to do', async () => {
  // Said to be so many, and not made: a million objects a file would be all that the test does.
  const said = { length: 1_600_000, map: () => ['thing'], toJSON: () => [] };
  const symbols = said as unknown as readonly LocalSymbol[]; // all that is asked of them
  await using started = startIndex({ 'a.js': '', 'b.js': '' }, { symbols });
  await started.refresh('thing');
  const faults = (await filesOf(started.index)).map(({ fault }) => fault);
  expect(faults).toEqual([
    undefined,
    'is beyond the 3000000 symbols that are looked through at once; name a folder as the path',
  ]);
});
