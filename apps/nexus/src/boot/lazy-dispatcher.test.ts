import type { Dispatcher } from '@nexus/core';
import { expect, it, vi } from 'vitest';
import { lazyDispatcher } from './lazy-dispatcher.ts';

type Call = Parameters<Dispatcher['call']>;

it('loads once for the calls that come first, has them begin in their order, and tells when they have', async () => {
  const begun: unknown[] = [];
  let loaded = () => {};
  const load = vi.fn(async () => {
    await new Promise<void>((resolve) => {
      loaded = resolve;
    });
    const call: Dispatcher['call'] = (_caller, request) => {
      begun.push(request);
      return new Promise(() => {});
    };
    return { call } as Dispatcher;
  });
  const dispatcher = lazyDispatcher(load);
  await dispatcher.begun();
  expect(load).not.toHaveBeenCalled();
  const calls = ['one', 'two'].map((request) => [undefined, request] as unknown as Call);
  for (const call of calls) void dispatcher.call(...call);
  const told = dispatcher.begun().then(() => begun.push('told'));
  expect(begun).toEqual([]);
  loaded();
  await told;
  void dispatcher.call(...([undefined, 'three'] as unknown as Call));
  expect(begun).toEqual(['one', 'two', 'told', 'three']);
  expect(load).toHaveBeenCalledTimes(1);
});

it('loads by itself soon, for a process that has no file left to open later', async () => {
  vi.useFakeTimers();
  try {
    const load = vi.fn(async () => ({}) as Dispatcher);
    lazyDispatcher(load);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(load).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
