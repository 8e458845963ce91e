import { expect, it, vi } from 'vitest';
import { untilAborted } from './until-aborted.ts';

const never = new Promise<never>(() => {});

it('settles as the work does', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error('its own')), signal)).rejects.toThrow('its own');
});

it('rejects with the reason as soon as the signal fires, or where it had fired before', async () => {
  const controller = new AbortController();
  const waiting = untilAborted(never, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(untilAborted(Promise.resolve(1), controller.signal)).rejects.toThrow('enough');
});

it('leaves no rejection behind of work that nobody waits for', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  try {
    let fail = (_: Error) => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(untilAborted(work, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});

it('lets go of the signal', async () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await untilAborted(Promise.resolve(1), signal);
  await Promise.resolve();
  expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
});
