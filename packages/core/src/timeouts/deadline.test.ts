import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDeadline } from './deadline.ts';
import { watchShutdown } from './shutdown.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function start({ budgetMs = 5_000, outerAt = undefined as number | undefined } = {}) {
  const caller = new AbortController();
  const shutdown = new AbortController();
  const watched = watchShutdown(shutdown.signal);
  const deadline = startDeadline({
    toolName: 'slow',
    budgetMs,
    outerAt,
    caller: caller.signal,
    shutdown: watched,
  });
  return { caller, shutdown, watched, deadline };
}

const never = new Promise<never>(() => {});

describe('a deadline', () => {
  it('aborts at the budget with the tool, the budget and the fix', async () => {
    const { deadline } = start();
    const raced = expect(deadline.race(never)).rejects.toMatchObject({
      code: 'NEXUS_TIMEOUT',
      message: expect.stringMatching(
        /slow did not finish within its budget of 5000 ms.*tools\.slow\.timeoutMs/,
      ),
      detail: { budgetMs: 5_000 },
    });
    vi.advanceTimersByTime(4_999);
    expect(deadline.end.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.end.signal.aborted).toBe(true);
    await raced;
  });

  it('says when it fires, and for a nested call not later than the outer one', () => {
    expect(start().deadline.at).toBe(1_005_000);
    expect(start({ outerAt: 1_002_000 }).deadline.at).toBe(1_002_000);
    expect(start({ outerAt: 9_000_000 }).deadline.at).toBe(1_005_000);
  });

  it('aborts at the client’s cancel', async () => {
    const { deadline, caller } = start();
    const raced = expect(deadline.race(never)).rejects.toMatchObject({ code: 'NEXUS_CANCELLED' });
    caller.abort('the user pressed escape');
    await raced;
  });

  it('aborts at shutdown', async () => {
    const { deadline, shutdown } = start();
    const raced = expect(deadline.race(never)).rejects.toMatchObject({ code: 'NEXUS_SHUTTING_DOWN' });
    shutdown.abort();
    await raced;
  });

  it('is over from the start for a call cancelled before, or come after shutdown', () => {
    const caller = AbortSignal.abort();
    const living = new AbortController().signal;
    const cancelled = startDeadline({
      toolName: 'slow',
      budgetMs: 5,
      caller,
      shutdown: watchShutdown(living),
    });
    expect(cancelled.end.signal.reason).toMatchObject({ code: 'NEXUS_CANCELLED' });
    const late = startDeadline({
      toolName: 'slow',
      budgetMs: 5,
      caller: living,
      shutdown: watchShutdown(caller),
    });
    expect(late.end.signal.reason).toMatchObject({ code: 'NEXUS_SHUTTING_DOWN' });
  });

  it('hands on the outer call’s reason, so that its timeout stays a timeout', () => {
    const outer = start({ budgetMs: 100 });
    const inner = startDeadline({
      toolName: 'inner',
      budgetMs: 5_000,
      caller: outer.deadline.end.signal,
      shutdown: outer.watched,
    });
    vi.advanceTimersByTime(100);
    expect(inner.end.signal.reason).toBe(outer.deadline.end.signal.reason);
    expect(inner.end.signal.reason).toMatchObject({ code: 'NEXUS_TIMEOUT' });
  });

  it('settles as the work does when that is first', async () => {
    const { deadline } = start();
    await expect(deadline.race(Promise.resolve('done'))).resolves.toBe('done');
    await expect(deadline.race(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('swallows the late failure of work that it gave up on', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const { deadline, caller } = start();
      let fail = (_: Error) => {};
      const work = new Promise<never>((_, reject) => {
        fail = reject;
      });
      const raced = expect(deadline.race(work)).rejects.toMatchObject({ code: 'NEXUS_CANCELLED' });
      caller.abort();
      await raced;
      fail(new Error('too late'));
      vi.useRealTimers();
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });

  it('leaves no timer and no listener behind', async () => {
    const { deadline, caller, shutdown, watched } = start();
    const removed = vi.spyOn(caller.signal, 'removeEventListener');
    expect(vi.getTimerCount()).toBe(1);
    deadline[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledOnce();
    expect(watched.listeners.size).toBe(0);
    caller.abort();
    shutdown.abort();
    expect(deadline.end.signal.aborted).toBe(false);
  });
});
