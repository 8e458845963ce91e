import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectLog } from '@nexus/testing';
import { afterAll, expect, it, vi } from 'vitest';
import { tidyUp, tidyUpSoon } from './tidy-up.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'nexus-tidy-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

it('a plugin is started where its work has left something, and for nothing else', async () => {
  mkdirSync(join(dataDir, 'a', 'trees', 'one'), { recursive: true });
  mkdirSync(join(dataDir, 'b', 'trees'), { recursive: true });
  const started: string[] = [];
  const plugin = (name: string, leaves?: string) => ({
    ...{ name, leaves },
    start: async () => void started.push(name),
  });
  const plugins = [plugin('b', 'b/trees'), plugin('c', 'c/trees'), plugin('d'), plugin('a', 'a/trees')];
  await tidyUp(plugins, dataDir, collectLog().log);
  expect(started).toEqual(['a']);
});

it('one that can’t start is told of, and keeps no other from it', async () => {
  const { log, lines } = collectLog();
  const start = vi.fn(async () => {});
  const broken = { name: 'broken', leaves: 'a/trees', start: () => Promise.reject(new Error('no')) };
  await tidyUp([broken, { name: 'whole', leaves: 'a/trees', start }], dataDir, log);
  expect(start).toHaveBeenCalledOnce();
  expect(JSON.stringify(lines)).toContain('broken');
});

it('a process that ends meanwhile starts nothing', () => {
  vi.useFakeTimers();
  const stop = new AbortController();
  const tidy = vi.fn(async () => {});
  tidyUpSoon(stop.signal, tidy);
  vi.advanceTimersByTime(400);
  expect(tidy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(tidy).toHaveBeenCalledOnce();
  tidyUpSoon(stop.signal, tidy);
  stop.abort();
  vi.advanceTimersByTime(1_000);
  expect(tidy).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
