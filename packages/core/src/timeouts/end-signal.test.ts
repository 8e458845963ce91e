import { expect, it, vi } from 'vitest';
import { RequestEnd } from './end-signal.ts';

it('tells each listener once, with the first reason, and none that was taken out', () => {
  const end = new RequestEnd();
  const [told, gone] = [vi.fn(), vi.fn()];
  end.addEventListener('abort', told);
  end.addEventListener('abort', gone);
  end.removeEventListener('abort', gone);
  expect(end.aborted).toBe(false);
  end.end('first');
  end.end('second');
  expect(told).toHaveBeenCalledTimes(1);
  expect(gone).not.toHaveBeenCalled();
  expect(end).toMatchObject({ aborted: true, reason: 'first' });
});

it.each(['before', 'after'])('is an AbortSignal to who asks for one %s the end', (when) => {
  const end = new RequestEnd();
  const early = when === 'before' ? end.signal : undefined;
  end.end('over');
  expect(end.signal).toMatchObject({ aborted: true, reason: 'over' });
  expect(end.signal).toBe(early ?? end.signal);
});

it('gives the reason that an AbortSignal gives where none is said', () => {
  const end = new RequestEnd();
  end.end();
  const { name, message } = AbortSignal.abort().reason;
  expect(end.reason).toMatchObject({ name, message });
  expect(end.signal.reason).toBe(end.reason);
});

it('tells any number of listeners, and each once however often it is added', () => {
  const end = new RequestEnd();
  const listeners = [vi.fn(), vi.fn(), vi.fn(), vi.fn()] as const;
  for (const listener of [...listeners, ...listeners]) end.addEventListener('abort', listener);
  const [, second, third] = listeners;
  end.removeEventListener('abort', second);
  end.removeEventListener('abort', vi.fn());
  third.mockImplementation(() => end.end('again'));
  end.end('first');
  expect(listeners.map((listener) => listener.mock.calls.length)).toEqual([1, 0, 1, 1]);
});

it('takes out a listener of none', () => {
  const end = new RequestEnd();
  end.removeEventListener('abort', vi.fn());
  end.end();
  expect(end.aborted).toBe(true);
});

it('tells one who listens anew after the first was taken out', () => {
  const end = new RequestEnd();
  const [gone, told] = [vi.fn(), vi.fn()];
  end.addEventListener('abort', gone);
  end.removeEventListener('abort', gone);
  end.addEventListener('abort', told);
  end.end();
  expect([gone.mock.calls.length, told.mock.calls.length]).toEqual([0, 1]);
});
