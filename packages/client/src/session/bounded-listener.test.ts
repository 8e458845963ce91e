import { type Channel, JSON_RPC, type JsonRpcMessage } from '@nexus/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sizeOf } from '../size-of.ts';
import { boundErrors, boundListener } from './bounded-listener.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const mask = (text: string) => text.replaceAll('hunter2', '***');

it('looks for secrets only in what it passes on of a flood', () => {
  const passed: unknown[] = [];
  let looks = 0;
  const listener = {
    notification: (_method: string, params: unknown) => void passed.push(params),
    request: async () => ({}),
  };
  const mask = (text: string) => {
    looks += 1;
    return text.replace('hunter2', '***');
  };
  const bounded = boundListener(listener, { log: quiet, mask });
  for (let at = 0; at < 20_000; at += 1) {
    bounded.notification('notifications/message', { data: `hunter2 ${at}` });
  }
  expect(passed[0]).toEqual({ data: '*** 0' });
  expect(passed.length).toBeLessThan(5_000);
  // The name and the text of each.
  expect(looks).toBe(2 * passed.length);
});

describe('of what a server says and asks', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const signal = new AbortController().signal as never;
  const bounded = () => {
    const listener = { notification: vi.fn(), request: vi.fn(async () => ({ is: 'answered' })) };
    const warn = vi.fn();
    return { listener, warn, bound: boundListener(listener, { log: { ...quiet, warn }, mask }) };
  };

  it('passes so many notifications, and says once that the rest is dropped', () => {
    const { listener, warn, bound } = bounded();
    const params = { text: 'hunter2' };
    for (let at = 0; at < 1_003; at += 1) bound.notification('notifications/made_up', params);
    expect(listener.notification).toHaveBeenCalledTimes(1_000);
    expect(listener.notification.mock.lastCall).toEqual(['notifications/made_up', params]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { what: 'notifications/made_up' });
    vi.advanceTimersByTime(1_000);
    for (let at = 0; at < 300; at += 1) bound.notification('notifications/made_up', params);
    expect(listener.notification).toHaveBeenCalledTimes(1_200);
  });

  it.each(['tools', 'resources', 'prompts'])('passes every change of the list of %s', (list) => {
    const { listener, warn, bound } = bounded();
    const method = `notifications/${list}/list_changed`;
    for (let at = 0; at < 1_100; at += 1) bound.notification(method, {});
    bound.notification('notifications/made_up', {});
    expect(listener.notification).toHaveBeenCalledTimes(1_101);
    expect(warn).not.toHaveBeenCalled();
  });

  it('passes so many reports of progress, and all else of a request as it is', () => {
    const { warn, bound } = bounded();
    const [onProgress, onId] = [vi.fn(), vi.fn()];
    const options = bound.progress({ signal, onProgress, onId });
    expect(options).toMatchObject({ signal, onId });
    for (let at = 0; at < 501; at += 1) options.onProgress?.({ progress: at });
    expect(onProgress).toHaveBeenCalledTimes(500);
    expect(onProgress.mock.lastCall).toEqual([{ progress: 499 }]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { what: 'notifications/progress' });
    vi.advanceTimersByTime(1_000);
    for (let at = 0; at < 200; at += 1) options.onProgress?.({ progress: at });
    expect(onProgress).toHaveBeenCalledTimes(600);
    const without = { signal, onId };
    expect(bound.progress(without)).toBe(without);
  });

  it('takes so many questions one after another, and refuses those that come too often', async () => {
    const { listener, bound } = bounded();
    const ask = () => bound.request('elicitation/create', {}, { signal });
    for (let at = 0; at < 100; at += 1) expect(await ask()).toEqual({ is: 'answered' });
    await expect(ask()).rejects.toMatchObject({ code: JSON_RPC.invalidRequest });
    vi.advanceTimersByTime(1_000);
    for (let at = 0; at < 10; at += 1) await ask();
    await expect(ask()).rejects.toThrow('too often');
    expect(listener.request).toHaveBeenCalledTimes(110);
    expect(listener.request).toHaveBeenLastCalledWith('elicitation/create', {}, { signal });
  });

  it('takes so many questions at once, and another when one has its end, whichever that is', async () => {
    const { listener, bound } = bounded();
    const ask = () => bound.request('elicitation/create', {}, { signal });
    const open: { resolve(value: { is: string }): void; reject(error: Error): void }[] = [];
    const pending = () =>
      new Promise<{ is: string }>((resolve, reject) => void open.push({ resolve, reject }));
    for (let at = 0; at < 32; at += 1) listener.request.mockImplementationOnce(pending);
    const asked = Array.from({ length: 32 }, ask);
    await expect(ask()).rejects.toThrow('too often');
    open[0]?.resolve({ is: 'done' });
    open[1]?.reject(new Error('nobody there'));
    expect(await asked[0]).toEqual({ is: 'done' });
    await expect(asked[1]).rejects.toThrow('nobody there');
    expect([await ask(), await ask()]).toHaveLength(2);
    for (const { resolve } of open) resolve({ is: 'done' });
    await Promise.all(asked.slice(2));
  });
});

describe('a channel', () => {
  const told = (message: Partial<JsonRpcMessage>) => {
    const heard: JsonRpcMessage[] = [];
    const closed = vi.fn();
    const channel: Channel = {
      kind: 'stdio',
      trust: 'user',
      send: async () => {},
      close: async () => {},
      start(handlers) {
        handlers.message({ jsonrpc: '2.0', ...message } as JsonRpcMessage);
        handlers.closed();
      },
    };
    const bound = boundErrors(channel, mask);
    bound.start({ message: (each) => void heard.push(each), closed });
    expect(bound).toMatchObject({ kind: 'stdio', trust: 'user', send: channel.send, close: channel.close });
    expect(closed).toHaveBeenCalledOnce();
    return heard[0];
  };

  it('tells of errors what anybody reads, and no secret', () => {
    const message = `hunter2 ${'x'.repeat(10_000)}`;
    const error = { code: 5, message, data: { of: ['hunter2'] } };
    expect(told({ id: 1, error })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: 5,
        message: `*** ${'x'.repeat(8_000 - 'hunter2 '.length)}… (2008 more characters)`,
        data: { of: ['***'] },
      },
    });
    expect(told({ id: 1, error: { code: 5, message: 'no' } })?.error).toStrictEqual({
      code: 5,
      message: 'no',
    });
  });

  it('leaves out what an error has beside its message where that is too much, and says so', () => {
    const withData = (chars: number) =>
      told({ id: 1, error: { code: 5, message: 'no', data: 'x'.repeat(chars) } })?.error;
    expect(withData(63_996)).toHaveProperty('data');
    expect(withData(63_997)).toStrictEqual({
      code: 5,
      message: 'no (its data are left out: about 64001 characters, more than 64000)',
    });
    const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
    expect(told({ id: 1, error: { code: 5, message: 'no', data: deep } })?.error).toStrictEqual({
      code: 5,
      message: 'no (its data are left out: nested more than 100 deep)',
    });
  });

  it('masks a result that is an error, and hands on each other as it is', () => {
    const content = [{ type: 'text', text: 'hunter2' }];
    expect(told({ id: 1, result: { isError: true, content } })?.result).toEqual({
      isError: true,
      content: [{ type: 'text', text: '***' }],
    });
    const result = { content };
    expect(told({ id: 1, result })).toStrictEqual({ jsonrpc: '2.0', id: 1, result });
    expect(told({ id: 1, result })?.result).toBe(result);
    expect(told({ method: 'a/b', params: { a: 'hunter2' } })).toHaveProperty('params', { a: 'hunter2' });
  });

  it('has of a longer one how its texts begin and end, and says so', () => {
    const result = (chars: number) => ({
      isError: true,
      content: [
        { type: 'text', text: `hunter2 ${'x'.repeat(chars)}` },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'text', text: 'the end' },
      ],
      structuredContent: { a: 1 },
    });
    const asMuchAsMayBe = 256 * 1024 - sizeOf(result(0), Number.POSITIVE_INFINITY);
    expect(told({ id: 1, result: result(asMuchAsMayBe) })?.result).toHaveProperty('structuredContent');
    expect(told({ id: 1, result: result(asMuchAsMayBe + 1) })?.result).not.toHaveProperty(
      'structuredContent',
    );
    const shown = told({ id: 1, result: result(6_000_000) })?.result;
    const { content, ...rest } = shown as { content: { type: string; text: string }[] };
    expect(rest).toEqual({ isError: true });
    expect(content.map(({ type }) => type)).toEqual(['text', 'text']);
    const [text = '', note] = content.map((each) => each.text);
    expect(text).toMatch(/^\*\*\* x+\n\[… \d+ of 6000016 characters left out …\]\nx+\nthe end$/);
    expect(text.length).toBeLessThan(263_000);
    expect(note).toMatch(
      /^\(Of this failure only the text is passed on: it is about \d+ characters, more than 262144\.\)$/,
    );
  });
});
