import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scopeOf } from '@nexus/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKeptResults } from './kept-results.ts';
import { resultsOnDisk } from './results-on-disk.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'nexus-kept-')), 'results');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const result = { user: undefined, mimeType: 'text/plain', text: 'a\nb' };

it('gives a result to its user for as long as it is kept, and to nobody else', async () => {
  let now = Date.now();
  const disk = resultsOnDisk(folder, { keptMs: 1_000, now: () => now });
  await disk.put(id(1), result);
  await disk.put(id(2), { ...result, user: 'ann', whose: 'box/it' });
  expect(await disk.get(id(1), undefined)).toEqual(result);
  expect(await disk.get(id(2), 'ann')).toMatchObject({ text: 'a\nb', whose: 'box/it' });
  expect(await disk.get(id(2), undefined)).toBeUndefined();
  expect(await disk.get(id(1), 'ann')).toBeUndefined();
  expect(await disk.get(`../results/${id(1)}`, undefined)).toBeUndefined();
  if (process.platform !== 'win32') expect((await stat(join(folder, id(1)))).mode & 0o777).toBe(0o600);
  now += 60_000;
  expect(await disk.get(id(1), undefined)).toBeUndefined();
  await disk.put(id(3), result);
  expect(await readdir(folder)).not.toContain(id(1));
});

it('drops the oldest of too many', async () => {
  const disk = resultsOnDisk(folder, { maxBytes: 150 });
  await disk.put(id(1), result);
  await disk.put(id(2), { ...result, text: 'x'.repeat(100) });
  expect(await disk.get(id(1), undefined)).toBeUndefined();
  expect(await disk.get(id(2), undefined)).toBeDefined();
});

it('looks at all that is there only once so much more came, or so much time went by', async () => {
  let now = Date.now();
  const disk = resultsOnDisk(folder, { keptMs: 16_000, maxBytes: 16_000, now: () => now });
  const age = () => utimes(join(folder, id(1)), 0, 0);
  const isThere = async () => (await readdir(folder)).includes(id(1));
  await disk.put(id(1), result);
  await age();
  for (const digit of [2, 3, 4]) await disk.put(id(digit), result);
  expect(await isThere()).toBe(true);
  now += 1_000;
  await disk.put(id(5), result);
  expect(await isThere()).toBe(false);
  await disk.put(id(1), result);
  await age();
  await disk.put(id(6), { ...result, text: 'x'.repeat(400) });
  expect(await isThere()).toBe(true);
  await disk.put(id(7), { ...result, text: 'x'.repeat(500) });
  expect(await isThere()).toBe(false);
  await disk.put(id(1), result);
  await age();
  await resultsOnDisk(folder).put(id(8), result);
  expect(await isThere()).toBe(false);
});

it('is found by its URI after a restart, by the same user', async () => {
  const options = { maxResultChars: 1, disk: resultsOnDisk(folder) };
  const before = createKeptResults(options);
  const { uri } = before.keep(scopeOf('one'), { text: 'the whole', mimeType: 'text/plain' }, 'ann');
  await before.written();
  const after = createKeptResults(options);
  expect(await after.find({ session: scopeOf('two'), user: 'ann' }, uri)).toEqual({
    uri,
    mimeType: 'text/plain',
    text: 'the whole',
  });
  expect(await after.find({ session: scopeOf('two'), user: 'bob' }, uri)).toBeUndefined();
});
