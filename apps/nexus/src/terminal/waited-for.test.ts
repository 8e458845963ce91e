import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitedFor } from './waited-for.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says which servers have not answered yet, and that a first start downloads', () => {
  const said: string[] = [];
  {
    using waited = waitedFor((line) => said.push(line));
    waited.begin({ toolbox: 'dev', server: 'github', downloadedBy: 'npx' });
    waited.begin({ toolbox: 'dev', server: 'files', downloadedBy: undefined });
    vi.advanceTimersByTime(4_999);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1);
    waited.end({ toolbox: 'dev', server: 'files' });
    vi.advanceTimersByTime(5_000);
  }
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual([
    'waits for dev / github (5 s), dev / files (5 s): a first start by npx downloads what is not in its cache',
    'waits for dev / github (10 s)',
  ]);
});

it('says nothing while nothing is waited for, and names a few of many', () => {
  const said: string[] = [];
  using waited = waitedFor((line) => said.push(line));
  vi.advanceTimersByTime(5_000);
  for (const server of 'abcdefg') waited.begin({ toolbox: 't', server, downloadedBy: undefined });
  vi.advanceTimersByTime(5_000);
  expect(said).toEqual([
    'waits for t / a (5 s), t / b (5 s), t / c (5 s), t / d (5 s), t / e (5 s), and 2 more',
  ]);
});
