import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeadlines } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function start({ budgetMs = 5_000, outerAt = undefined as number | undefined } = {}) {
  const caller = new AbortController();
  const shutdown = new AbortController();
  const deadlines = createDeadlines(shutdown.signal);
  const deadline = deadlines.start({ toolName: 'slow', budgetMs, outerAt, caller: caller.signal });
  return { caller, shutdown, deadlines, deadline };
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

  it('stands still while it is held, by however many, and goes on from there', () => {
    const { deadline } = start();
    vi.advanceTimersByTime(1_000);
    const first = deadline.hold();
    vi.advanceTimersByTime(20_000);
    const second = deadline.hold();
    vi.advanceTimersByTime(40_000);
    first();
    first();
    vi.advanceTimersByTime(60_000);
    expect(deadline.end.signal.aborted).toBe(false);
    second();
    expect(deadline.at).toBe(1_005_000 + 120_000);
    vi.advanceTimersByTime(3_999);
    expect(deadline.end.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.reason).toMatchObject({ code: 'NEXUS_TIMEOUT' });
  });

  it('that is over while it is held leaves no timer behind', () => {
    const { deadline } = start();
    const goOn = deadline.hold();
    deadline[Symbol.dispose]();
    goOn();
    vi.advanceTimersByTime(60_000);
    expect(deadline.reason).toBeUndefined();
  });

  it('aborts at the client’s cancel', async () => {
    const { deadline, caller } = start();
    const raced = expect(deadline.race(never)).rejects.toMatchObject({
      code: 'NEXUS_CANCELLED',
      message: 'The caller cancelled slow: the user pressed escape.',
    });
    caller.abort('the user pressed escape');
    await raced;
  });

  it.each([
    [new Error('Request timed out\nat once'), 'The caller cancelled slow: Request timed out.'],
    [new Error('cancelled'), 'The caller cancelled slow.'],
    [undefined, 'The caller cancelled slow.'],
    [new DOMException('The user stopped it.', 'AbortError'), 'The caller cancelled slow.'],
    ['', 'The caller cancelled slow.'],
    [null, 'The caller cancelled slow.'],
    [{ message: 42 }, 'The caller cancelled slow.'],
    ['\n  no longer wanted, as of v1.2\rat all', 'The caller cancelled slow: no longer wanted, as of v1.2.'],
    ['the user stopped it. ', 'The caller cancelled slow: the user stopped it.'],
    ['x'.repeat(500), `The caller cancelled slow: ${'x'.repeat(200)}… (300 more characters).`],
  ])('names in one line why the client cancelled, where it said so', (reason, message) => {
    const { deadline, caller } = start();
    caller.abort(reason);
    expect(deadline.reason?.message).toBe(message);
  });

  it('aborts at shutdown', async () => {
    const { deadline, shutdown } = start();
    const raced = expect(deadline.race(never)).rejects.toMatchObject({ code: 'NEXUS_SHUTTING_DOWN' });
    shutdown.abort();
    await raced;
  });

  it('is over from the start for a call cancelled before, or come after shutdown', async () => {
    const caller = AbortSignal.abort();
    const living = new AbortController().signal;
    const cancelled = createDeadlines(living).start({ toolName: 'slow', budgetMs: 5, caller });
    expect(cancelled.end.signal.reason).toMatchObject({ code: 'NEXUS_CANCELLED' });
    await expect(cancelled.race(never)).rejects.toMatchObject({ code: 'NEXUS_CANCELLED' });
    const late = createDeadlines(caller).start({ toolName: 'slow', budgetMs: 5, caller: living });
    expect(late.end.signal.reason).toMatchObject({ code: 'NEXUS_SHUTTING_DOWN' });
  });

  it('hands on the outer call’s reason, so that its timeout stays a timeout', () => {
    const outer = start({ budgetMs: 100 });
    const inner = outer.deadlines.start({
      toolName: 'inner',
      budgetMs: 5_000,
      caller: outer.deadline.end.signal,
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

  it('ends nothing any more once it is over', async () => {
    const { deadline, caller, shutdown } = start();
    const removed = vi.spyOn(caller.signal, 'removeEventListener');
    deadline[Symbol.dispose]();
    expect(removed).toHaveBeenCalledOnce();
    caller.abort();
    shutdown.abort();
    vi.advanceTimersByTime(5_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(deadline.end.signal.aborted).toBe(false);
  });
});
