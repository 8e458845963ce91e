import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addToCache, dropLeftovers, loadCache, saveCache } from './cache-file.ts';
import type { IndexedFile } from './indexed-file.ts';

it('removes what a save that was cut off has left, and no file of anybody else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-symbols-'));
  try {
    const others = ['symbols-a.jsonl', 'symbols-a.jsonl.2.tmp', 'symbols-b.jsonl.1.tmp'];
    for (const name of ['symbols-a.jsonl.1.tmp', ...others]) writeFileSync(join(folder, name), '');
    const long = new Date(Date.now() - 3_600_000);
    // The second one is being written.
    for (const name of ['symbols-a.jsonl.1.tmp', 'symbols-a.jsonl', 'symbols-b.jsonl.1.tmp'])
      utimesSync(join(folder, name), long, long);
    await dropLeftovers(join(folder, 'symbols-a.jsonl'));
    expect(readdirSync(folder).sort()).toEqual(others.sort());
    await dropLeftovers(join(folder, 'none', 'symbols-a.jsonl'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-symbols-'));
  file = join(folder, 'symbols.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const indexedFile = (hash: string): IndexedFile => ({
  changedAtMs: 1,
  size: 2,
  inode: 3,
  readAtMs: 4,
  hash,
  symbols: [],
});
const hashes = async () =>
  Object.fromEntries([...(await loadCache(file)).files].map(([path, { hash }]) => [path, hash]));

it('adds what changed to what is there, and the last line of a path counts', async () => {
  expect(await saveCache(file, [['a.ts', indexedFile('1')]])).toBe(1);
  const before = readFileSync(file, 'utf8');
  const changes = [
    ['b.ts', indexedFile('2')],
    ['a.ts', indexedFile('3')],
    ['c.ts', indexedFile('4')],
    ['c.ts', undefined],
  ] as const;
  expect(await addToCache(file, changes)).toBe(4);
  expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
  expect(await hashes()).toEqual({ 'a.ts': '3', 'b.ts': '2' });
});

it('loses one line where a part was cut off, and none of what is added later', async () => {
  await saveCache(file, [['a.ts', indexedFile('1')]]);
  await addToCache(file, [['b.ts', indexedFile('2')]]);
  truncateSync(file, readFileSync(file).length - 9);
  await addToCache(file, [['c.ts', indexedFile('3')]]);
  expect(await hashes()).toEqual({ 'a.ts': '1', 'c.ts': '3' });
});

it('adds nothing where there is no cache, or one that was made by other grammars', async () => {
  expect(await addToCache(file, [['a.ts', indexedFile('1')]])).toBeUndefined();
  appendFileSync(file, `${'0'.repeat(40)}\n`);
  expect(await addToCache(file, [['a.ts', indexedFile('1')]])).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe(`${'0'.repeat(40)}\n`);
});
