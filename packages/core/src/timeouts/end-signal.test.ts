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
  expect(end.reason).toMatchObject({ name: 'AbortError' });
  expect(end.signal.reason).toBe(end.reason);
});
