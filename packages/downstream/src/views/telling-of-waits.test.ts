import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { offeredServer } from '../server-address.ts';
import { type Starting, startingOf, tellingOfWaits } from './telling-of-waits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('says now and then which servers a call waits for, and nothing once it is over', async () => {
  const progress = vi.fn();
  const near = { name: 'box / a', downloadedBy: undefined };
  const far = { name: 'box / b', downloadedBy: 'npx' };
  let starting: readonly Starting[] = [near, far];
  let end = (_: string) => {};
  const work = new Promise<string>((resolve) => {
    end = resolve;
  });
  const told = tellingOfWaits(work, { progress }, () => starting);
  vi.advanceTimersByTime(4_000);
  starting = [near];
  vi.advanceTimersByTime(4_000);
  starting = [];
  vi.advanceTimersByTime(4_000);
  end('opened');
  expect(await told).toBe('opened');
  expect(progress.mock.calls).toEqual([
    ['waits for box / a, box / b: a first start by npx downloads what is not in its cache'],
    ['waits for box / a'],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

it('names those that start, and what a first start may download them by', () => {
  const server = (name: string, command: string) =>
    offeredServer('box', name, {
      ...({ transport: 'stdio', command, args: [], env: {}, headers: {} } as const),
      ...({ toolFilters: [], tools: {}, isolation: 'shared' } as const),
    });
  const states: Readonly<Record<string, string>> = { far: 'connecting', near: 'connecting', there: 'ready' };
  const leases = { find: ({ server }: { server: string }) => ({ state: states[server] }) };
  const servers = [server('far', 'npx'), server('near', 'node'), server('there', 'npx')];
  expect(startingOf(leases as never, { id: 's' } as never, servers)).toEqual([
    { name: 'box / far', downloadedBy: 'npx' },
    { name: 'box / near', downloadedBy: undefined },
  ]);
});
