import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepFile } from './kept-file.ts';

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-kept-'));
  const file = join(folder, 'nexus.sqlite');
  writeFileSync(file, '');
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

it('a file that is removed is lost for good, and told once', () => {
  using at = place();
  const told: string[] = [];
  const kept = keepFile(at.file, (reason) => told.push(reason));
  kept.assertThere();
  renameSync(at.file, `${at.file}.away`);
  expect(() => kept.assertThere()).toThrow(/is lost/);
  renameSync(`${at.file}.away`, at.file);
  expect(() => kept.assertThere()).toThrow(/is lost/);
  expect(told).toEqual([kept.lost]);
  kept.close();
});

it('a file that nobody can look at is not said to be lost, and ends no process', () => {
  using at = place();
  const kept = keepFile(at.file);
  renameSync(at.file, `${at.file}.away`);
  // As a disk that fails, it has the system refuse the look itself.
  symlinkSync(at.file, at.file);
  expect(() => kept.assertThere()).not.toThrow();
  rmSync(at.file);
  renameSync(`${at.file}.away`, at.file);
  expect(() => kept.assertThere()).not.toThrow();
  expect(kept.lost).toBeUndefined();
  kept.close();
});
