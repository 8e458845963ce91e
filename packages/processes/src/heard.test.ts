import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { heard } from './heard.ts';

it('has heard all of a stream that was closed before anybody listened', async () => {
  const stream = new PassThrough();
  const closed = once(stream, 'close');
  stream.destroy();
  await closed;
  const listener = vi.fn();
  expect(await heard(stream, listener, vi.fn())).toBeUndefined();
  expect(listener).not.toHaveBeenCalled();
});

it('ends a program whose listener throws, and tells what it threw once the stream is closed', async () => {
  const stream = new PassThrough();
  const error = new Error('too much');
  const end = vi.fn(() => stream.end('more'));
  const listener = vi.fn(() => {
    throw error;
  });
  stream.write('some');
  expect(await heard(stream, listener, end)).toEqual({ error });
  expect(end).toHaveBeenCalledOnce();
  expect(listener).toHaveBeenCalledExactlyOnceWith('some');
});
