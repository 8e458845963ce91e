import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { offeredServer } from '../server-address.ts';
import { startingOf, tellingOfWaits } from './telling-of-waits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('says now and then which servers a call waits for, and nothing once it is over', async () => {
  const progress = vi.fn();
  let starting = ['box / a', 'box / b'];
  let end = (_: string) => {};
  const work = new Promise<string>((resolve) => {
    end = resolve;
  });
  const told = tellingOfWaits(work, { progress }, () => starting);
  vi.advanceTimersByTime(4_000);
  starting = ['box / b'];
  vi.advanceTimersByTime(4_000);
  starting = [];
  vi.advanceTimersByTime(4_000);
  end('opened');
  expect(await told).toBe('opened');
  expect(progress.mock.calls).toEqual([['waits for box / a; box / b'], ['waits for box / b']]);
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
    'box / far, which a first start by npx downloads where it is not in its cache',
    'box / near',
  ]);
});
