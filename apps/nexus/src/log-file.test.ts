import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logAppender, logFileIn, olderLogFile } from './log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('has each line at once, for its user alone, and puts a large file aside', () => {
  const file = logFileIn(folder);
  const append = logAppender(file, 10);
  append('{"a":1}\n');
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  append('{"b":2}\n');
  expect(existsSync(olderLogFile(file))).toBe(false);
  append('{"c":3}\n');
  expect(readFileSync(olderLogFile(file), 'utf8')).toBe('{"a":1}\n{"b":2}\n');
  expect(readFileSync(file, 'utf8')).toBe('{"c":3}\n');
});

it('stops nothing where it can’t be written', () => {
  const append = logAppender(join(folder, 'a.jsonl'));
  append('x\n');
  expect(() => logAppender(join(folder, 'a.jsonl', 'b.jsonl'))('y\n')).not.toThrow();
});
