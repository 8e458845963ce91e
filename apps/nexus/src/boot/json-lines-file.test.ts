import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { jsonLinesFile } from './json-lines-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-rows-'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const quiet = () => {};
const error = vi.fn();
const log = { debug: quiet, info: quiet, warn: quiet, error };

it('writes rows in their order, not while they are added, and privately', () => {
  const path = join(folder, 'events', 'rows.jsonl');
  const file = jsonLinesFile(path, log);
  file.add({ row: 1 });
  file.add({ row: 2 });
  expect(existsSync(path)).toBe(false);
  vi.runAllTimers();
  file.add({ row: 3 });
  vi.runAllTimers();
  expect(readFileSync(path, 'utf8')).toBe('{"row":1}\n{"row":2}\n{"row":3}\n');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('writes what is left when it is flushed, once', () => {
  const path = join(folder, 'rows.jsonl');
  const file = jsonLinesFile(path, log);
  file.add({ row: 1 });
  file.flush();
  file.flush();
  expect(vi.getTimerCount()).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe('{"row":1}\n');
});

it('logs what it could not write', () => {
  writeFileSync(join(folder, 'taken'), '');
  const file = jsonLinesFile(join(folder, 'taken', 'rows.jsonl'), log);
  file.add({ row: 1 });
  vi.runAllTimers();
  expect(error).toHaveBeenCalledWith('events could not be recorded', expect.anything());
});

it('puts the file aside when it is large or old, in the place of the one before', () => {
  const path = join(folder, 'rows.jsonl');
  const file = jsonLinesFile(path, log);
  const add = (row: number) => {
    file.add({ row });
    file.flush();
  };
  writeFileSync(path, 'x'.repeat(5 * 1024 * 1024));
  add(1);
  expect(existsSync(`${path}.1`)).toBe(false);
  add(2);
  expect(readFileSync(path, 'utf8')).toBe('{"row":2}\n');
  expect(statSync(`${path}.1`).size).toBeGreaterThan(5 * 1024 * 1024);
  vi.setSystemTime(Date.now() + 31 * 86_400_000);
  add(3);
  expect([readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')]).toEqual([
    '{"row":3}\n',
    '{"row":2}\n',
  ]);
});
