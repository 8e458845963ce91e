import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linesOf } from './read-chain.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(content: string | Buffer) {
  const file = join(folder, 'lines');
  writeFileSync(file, content);
  return [...linesOf(file)];
}

it('gives each line with its number, whatever its letters and wherever it is read in two', () => {
  // Of odd lengths, so that letters of several bytes lie across every border.
  const texts = Array.from(
    { length: 60_000 },
    (_, at) => `${at} ${'ä€😀'.repeat(at % 7)}${'x'.repeat(at % 61)}`,
  );
  const lines = read(`${texts.join('\n')}\n`);
  expect(lines.map(({ text }) => text)).toEqual(texts);
  expect(lines.map(({ number }) => number)).toEqual(texts.map((_, at) => at + 1));
  expect(lines.every(({ isWhole }) => isWhole)).toBe(true);
});

it('says which line has no end', () => {
  expect(read('a\n\nb')).toEqual([
    { text: 'a', number: 1, isWhole: true },
    { text: '', number: 2, isWhole: true },
    { text: 'b', number: 3, isWhole: false },
  ]);
  expect(read('a\n')).toEqual([{ text: 'a', number: 1, isWhole: true }]);
  expect(read('')).toEqual([]);
});

it('reads a line that is longer than a piece of the file whole, and one that is longer than any in two', () => {
  const long = 'ä'.repeat(3_000_000);
  expect(read(`a\n${long}\nb\n`).map(({ text }) => text)).toEqual(['a', long, 'b']);
  const longest = Buffer.alloc(2 ** 24 + 5, 'x');
  expect(read(Buffer.concat([longest, Buffer.from('\nb\n')])).map(({ text }) => text.length)).toEqual([
    2 ** 24,
    5,
    1,
  ]);
});
