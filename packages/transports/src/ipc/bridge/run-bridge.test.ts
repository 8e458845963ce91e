import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { type RawClient, rawClient } from '@nexus/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectingLog } from '../../../test/collecting-log.ts';
import { socketPair } from '../../../test/socket-pair.ts';
import { runBridge } from './run-bridge.ts';

type Message = Record<string, unknown>;

const open: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  // The last opened first: a bridge whose host has gone looks for no other owner.
  for (const each of open.splice(0).reverse()) await each.dispose();
});

/** An owner written out by the test: the far end of a real socket. */
async function owner() {
  const { near, far, dispose } = await socketPair();
  far.on('error', () => {});
  open.push({ dispose });
  const client = rawClient({ readable: far, writable: far });
  return {
    socket: near,
    die: () => far.destroy(),
    write: (text: string) => client.sendRaw(text),
    answer: (id: unknown, result: Message = {}) => client.send({ jsonrpc: '2.0', id, result }),
    next: () => read(client),
  };
}

async function read(client: RawClient): Promise<Message> {
  const { done, value } = await client.messages().next();
  if (done) throw new Error('the bridge closed the connection');
  return value as Message;
}

interface Limits {
  readonly maxMessageBytes?: number;
  readonly signal?: AbortSignal;
}

function bridge(
  socket: Socket,
  reconnect: (signal: AbortSignal, isHung: boolean) => Promise<Socket>,
  limits: Limits = {},
) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const { log, lines: logged } = collectingLog();
  const ended = runBridge({ stdin, stdout, socket, reconnect, log, ...limits });
  const written = vi.spyOn(stdout, 'write');
  const host = rawClient({ readable: stdout, writable: stdin });
  open.push({ dispose: async () => void stdin.destroy() });
  return {
    ended,
    logged,
    stdin,
    /** All that the host got, as text. */
    written: () => written.mock.calls.map(([chunk]) => String(chunk)).join(''),
    request: (id: number, method: string, params: Message = {}) =>
      host.send({ jsonrpc: '2.0', id, method, params }),
    notify: (method: string, params: Message = {}) => host.send({ jsonrpc: '2.0', method, params }),
    next: () => read(host),
    messages: host.messages(),
  };
}

const tools = { tools: [{ name: 'note', annotations: { readOnlyHint: false } }] };

/** A host that has said hello, subscribed to two resources and set a level, each answered by its first owner. */
async function subscribedHost(owners: readonly Awaited<ReturnType<typeof owner>>[]) {
  const [first, ...others] = owners;
  if (!first) throw new Error('there is no owner');
  const next = others[Symbol.iterator]();
  const host = bridge(first.socket, async () => {
    const { value } = next.next();
    if (!value) throw new Error('no more owners');
    return value.socket;
  });
  const said = [
    ['initialize', {}],
    ['resources/subscribe', { uri: 'a://silent' }],
    ['resources/subscribe', { uri: 'a://other' }],
    ['logging/setLevel', { level: 'info' }],
  ] as const;
  for (const [at, [method, params]] of said.entries()) {
    await host.request(at, method, params);
    await first.answer((await first.next()).id);
    await host.next();
    if (method === 'initialize') {
      await host.notify('notifications/initialized');
      await first.next();
    }
  }
  return { host, die: first.die };
}

describe('a bridge', () => {
  it('logs what the owner tells it of the session, and its host hears nothing of that', async () => {
    const first = await owner();
    const host = bridge(first.socket, () => Promise.reject(new Error('no other')));
    const params = { level: 'warn', message: 'mind the gap', fields: { gap: 3 } };
    await first.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'nexus/told', params })}\n`);
    await first.write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');
    expect(await host.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(host.logged).toContainEqual({ level: 'warn', message: 'mind the gap', fields: { gap: 3 } });
  });

  it('lets its host through though the next owner does not answer what it had subscribed to', async () => {
    const owners = [await owner(), await owner()] as const;
    const [, second] = owners;
    const { host, die } = await subscribedHost(owners);
    die();
    const hello = await second.next();
    expect(hello.method).toBe('initialize');
    await second.answer(hello.id);
    const told = [await second.next(), await second.next(), await second.next(), await second.next()];
    expect(told.map(({ method }) => method)).toEqual([
      'notifications/initialized',
      'resources/subscribe',
      'resources/subscribe',
      'logging/setLevel',
    ]);
    await host.request(9, 'ping');
    expect(await second.next()).toMatchObject({ id: 9, method: 'ping' });
    await second.answer(9);
    expect(await host.next()).toMatchObject({ id: 9 });
    // An answer that comes later is the bridge's still.
    await second.answer(told[1]?.id);
    await host.request(10, 'ping');
    await second.next();
    await second.answer(10);
    expect(await host.next()).toMatchObject({ id: 10 });
  });

  it('looks for another owner when the next one does not even say hello', async () => {
    const owners = [await owner(), await owner(), await owner()] as const;
    const [, silent, third] = owners;
    const { host, die } = await subscribedHost(owners);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    die();
    await silent.next();
    await host.request(9, 'ping');
    await vi.advanceTimersByTimeAsync(31_000);
    vi.useRealTimers();
    await third.answer((await third.next()).id);
    for (let told = 0; told < 4; told++) await third.next();
    expect(await third.next()).toMatchObject({ id: 9, method: 'ping' });
  });

  it('does not wait for a list of tools for good, and makes no call twice that it knows nothing of', async () => {
    const owners = [await owner(), await owner()] as const;
    const [first, second] = owners;
    const { host, die } = await subscribedHost(owners);
    await host.request(8, 'tools/call', { name: 'unlisted' });
    await first.next();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    die();
    await second.answer((await second.next()).id);
    for (let told = 0; told < 4; told++) await second.next();
    expect(await second.next()).toMatchObject({ method: 'tools/list' });
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect(await host.next()).toMatchObject({
      id: 8,
      result: { _meta: { 'nexus/error': { code: 'NEXUS_OUTCOME_UNKNOWN' } } },
    });
  });

  it('answers everything that is open, then fails, when no owner can be had', async () => {
    const first = await owner();
    let fail: (error: Error) => void = () => {};
    const next = new Promise<Socket>((_, reject) => {
      fail = reject;
    });
    const host = bridge(first.socket, () => next);
    const failed = expect(host.ended).rejects.toThrow('no config');
    await host.request(1, 'tools/call', { name: 'look' });
    await first.next();
    await host.request(2, 'resources/list');
    await first.next();
    first.die();
    await vi.waitFor(() => expect(first.socket.destroyed).toBe(true));
    await host.request(3, 'tools/call', { name: 'look' });
    await new Promise((resolve) => setImmediate(resolve));
    fail(new Error('no config'));
    await failed;
    const code = (value: string) => ({
      result: { isError: true, _meta: { 'nexus/error': { code: value } } },
    });
    expect([await host.next(), await host.next(), await host.next()]).toMatchObject([
      { id: 1, ...code('NEXUS_OUTCOME_UNKNOWN') },
      { id: 2, error: { code: -32603 } },
      { id: 3, ...code('NEXUS_UNAVAILABLE') },
    ]);
    expect(await host.messages.next()).toMatchObject({ done: true });
  });

  it('answers at once what may not run again, before there is a new owner', async () => {
    const first = await owner();
    const host = bridge(first.socket, () => new Promise(() => {}));
    await host.request(1, 'tools/list');
    await first.answer((await first.next()).id, tools);
    await host.next();
    await host.request(2, 'tools/call', { name: 'note' });
    await first.next();
    first.die();
    expect(await host.next()).toMatchObject({ id: 2, result: { isError: true } });
  });

  it.each([
    ['is sent again where all that it passes on may run twice', [true, true], true],
    ['is not where one of them may not, whatever came after it', [false, true], false],
    ['is not where its owner had told nothing', [], false],
  ])('has a call that passes others on, and it %s', async (_, told, isSentAgain) => {
    const [first, second] = [await owner(), await owner()];
    const host = bridge(first.socket, async () => second.socket);
    await host.request(1, 'tools/list');
    await first.answer((await first.next()).id, tools);
    await host.next();
    await host.request(2, 'tools/call', { name: 'note' });
    await first.next();
    for (const mayRepeat of told) {
      const params = { requestId: 2, mayRepeat };
      await first.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'nexus/mayRepeat', params })}\n`);
    }
    await first.write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');
    expect(await host.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    first.die();
    if (isSentAgain) {
      expect(await second.next()).toMatchObject({ id: 2, method: 'tools/call' });
      await second.answer(2, { content: [] });
    }
    expect(await host.next()).toMatchObject({
      id: 2,
      result: isSentAgain ? { content: [] } : { isError: true },
    });
  });

  it.each([
    ['is answered by what the next owner goes on with', { result: { content: [] } }, { content: [] }],
    [
      'names that where no owner goes on with runs',
      { error: { code: -32602, message: 'no such tool' } },
      { isError: true, _meta: { 'nexus/error': { detail: { runId: 'run_1' } } } },
    ],
  ])('has a call that is a run, and it %s', async (_, answer, result) => {
    const [first, second] = [await owner(), await owner()];
    const host = bridge(first.socket, async () => second.socket);
    await host.request(1, 'tools/list');
    await first.answer((await first.next()).id, tools);
    await host.next();
    const _meta = { progressToken: 7 };
    await host.request(2, 'tools/call', { name: 'note', arguments: { text: 'x' }, _meta });
    await first.next();
    const params = { requestId: 2, runId: 'run_1' };
    await first.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'nexus/answeredBy', params })}\n`);
    await first.write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');
    expect(await host.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    first.die();
    expect(await second.next()).toMatchObject({
      ...{ id: 2, method: 'tools/call' },
      params: { name: 'resume_run', arguments: { runId: 'run_1' }, _meta },
    });
    await second.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, ...answer })}\n`);
    expect(await host.next()).toMatchObject({ id: 2, result });
  });

  it('drops an answer that the owner did not write whole, and asks the next', async () => {
    const [first, second] = [await owner(), await owner()];
    const host = bridge(first.socket, async () => second.socket);
    await host.request(1, 'resources/list');
    await first.next();
    await first.write('{"jsonrpc":"2.0","id":1,"result":{"from":"first"}}');
    first.die();
    await second.answer((await second.next()).id, { from: 'second' });
    expect(await host.next()).toMatchObject({ id: 1, result: { from: 'second' } });
  });

  it('does not run again what the host has cancelled', async () => {
    const [first, second] = [await owner(), await owner()];
    const host = bridge(first.socket, async () => second.socket);
    await host.request(1, 'resources/list');
    await host.notify('notifications/cancelled', { requestId: 1 });
    await host.request(2, 'prompts/list');
    for (let count = 0; count < 3; count += 1) await first.next();
    first.die();
    expect(await second.next()).toMatchObject({ id: 2 });
  });

  it('begins again when the next owner dies while it hears of the session', async () => {
    const [first, second, third] = [await owner(), await owner(), await owner()];
    const sockets = [second.socket, third.socket];
    const host = bridge(first.socket, async () => sockets.shift() as Socket);
    await host.request(0, 'initialize', { protocolVersion: '2025-11-25' });
    await first.answer((await first.next()).id);
    await host.next();
    await host.notify('notifications/initialized');
    await host.request(1, 'resources/list');
    for (let count = 0; count < 2; count += 1) await first.next();
    first.die();
    expect(await second.next()).toMatchObject({ method: 'initialize' });
    await host.request(2, 'prompts/list');
    second.die();
    const { id, params } = await third.next();
    expect(params).toEqual({ protocolVersion: '2025-11-25' });
    await third.answer(id);
    expect(await third.next()).toMatchObject({ method: 'notifications/initialized' });
    expect([(await third.next()).id, (await third.next()).id]).toEqual([1, 2]);
  });

  it('passes what it held to the owner after the one that died before it heard anything', async () => {
    const [first, second, third] = [await owner(), await owner(), await owner()];
    second.socket.destroy();
    const sockets = [second.socket, third.socket];
    const host = bridge(first.socket, async () => sockets.shift() as Socket);
    first.die();
    await vi.waitFor(() => expect(first.socket.destroyed).toBe(true));
    await host.request(1, 'ping');
    expect(await third.next()).toMatchObject({ id: 1 });
  });

  it('hands on the answer of a stopping server that does not stop, such as a downstream one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const first = await owner();
    const host = bridge(first.socket, () => new Promise(() => {}));
    await host.request(1, 'tools/call', { name: 'look' });
    await first.next();
    const result = { isError: true, _meta: { 'nexus/error': { code: 'NEXUS_SHUTTING_DOWN' } } };
    await first.answer(1, result);
    await first.answer(2, { marker: true });
    expect(await host.next()).toMatchObject({ id: 2 });
    vi.advanceTimersByTime(6_000);
    expect(await host.next()).toMatchObject({ id: 1, result });
  });

  it('answers what is open when it is told to end', async () => {
    const first = await owner();
    const ending = new AbortController();
    const host = bridge(first.socket, () => new Promise(() => {}), { signal: ending.signal });
    await host.request(1, 'tools/list');
    await first.next();
    await first.answer(1, { tools: [{ name: 'look', annotations: { readOnlyHint: true } }] });
    await host.next();
    for (const [id, name] of [
      [2, 'note'],
      [3, 'look'],
    ] as const) {
      await host.request(id, 'tools/call', { name });
      await first.next();
    }
    ending.abort();
    const error = (code: string, end: string) => {
      const message = expect.stringMatching(
        `^This process ended before .* and the server of the project may still be at work on it\\. ${end}$`,
      );
      return { result: { _meta: { 'nexus/error': { code, message } } } };
    };
    expect(await host.next()).toMatchObject({
      id: 2,
      ...error('NEXUS_OUTCOME_UNKNOWN', 'Look at its effect before calling it again\\.'),
    });
    expect(await host.next()).toMatchObject({ id: 3, ...error('NEXUS_UNAVAILABLE', 'Call it again\\.') });
    await host.ended;
  });

  it('refuses a line over the limit itself, and passes on the next', async () => {
    const first = await owner();
    const host = bridge(first.socket, () => new Promise(() => {}), { maxMessageBytes: 2000 });
    await host.request(1, 'tools/call', { name: 'x'.repeat(3000) });
    await host.request(2, 'ping');
    expect(await host.next()).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(await first.next()).toMatchObject({ id: 2 });
  });

  it('passes the answer to a call unread, and counts the call as answered', async () => {
    const first = await owner();
    const second = await owner();
    const host = bridge(first.socket, async () => second.socket);
    await host.request(1, 'tools/call', { name: 'look' });
    await first.next();
    const unreadable = '{"jsonrpc":"2.0","id":1,"result":{oops}}\n';
    await first.write(unreadable);
    await vi.waitFor(() => expect(host.written()).toBe(unreadable));
    first.die();
    await host.request(2, 'ping');
    expect(await second.next()).toMatchObject({ id: 2 });
  });

  it('reads the answer of an owner that ends the call because it stops', async () => {
    const first = await owner();
    const second = await owner();
    const host = bridge(first.socket, async () => second.socket);
    await host.request(1, 'tools/list');
    await first.next();
    await first.answer(1, { tools: [{ name: 'look', annotations: { readOnlyHint: true } }] });
    await host.next();
    await host.request(2, 'tools/call', { name: 'look' });
    await first.next();
    await first.answer(2, { isError: true, _meta: { 'nexus/error': { code: 'NEXUS_SHUTTING_DOWN' } } });
    first.die();
    expect(await second.next()).toMatchObject({ id: 2 });
    await second.answer(2, { content: [] });
    expect(await host.next()).toMatchObject({ id: 2, result: { content: [] } });
  });

  it('answers a call for a dead owner that has its id at its end, as the official SDK writes it', async () => {
    const first = await owner();
    const second = await owner();
    const host = bridge(first.socket, async () => second.socket);
    await host.request(1, 'tools/list');
    await first.next();
    await first.answer(1, tools);
    await host.next();
    host.stdin.write('{"method":"tools/call","params":{"name":"note"},"jsonrpc":"2.0","id":"a"}\n');
    expect(await first.next()).toMatchObject({ id: 'a' });
    first.die();
    expect(await host.next()).toMatchObject({
      id: 'a',
      result: { isError: true, _meta: { 'nexus/error': { code: 'NEXUS_OUTCOME_UNKNOWN' } } },
    });
  });

  it('leaves it to the owner to refuse a call that is no JSON, and keeps none of it then', async () => {
    const first = await owner();
    const second = await owner();
    const host = bridge(first.socket, async () => second.socket);
    const faulty = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{oops}}\n';
    host.stdin.write(faulty);
    const refusal = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n';
    await first.write(refusal);
    await vi.waitFor(() => expect(host.written()).toBe(refusal));
    first.die();
    await host.request(2, 'ping');
    expect(await second.next()).toMatchObject({ id: 2 });
  });

  it('passes on a last line without its newline before it ends the connection', async () => {
    const first = await owner();
    const host = bridge(first.socket, () => new Promise(() => {}));
    host.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(await first.next()).toMatchObject({ id: 1 });
    await first.answer(1);
    expect(await host.next()).toMatchObject({ id: 1, result: {} });
  });

  it('passes lines on byte for byte, both ways', async () => {
    const first = await owner();
    const host = bridge(first.socket, () => new Promise(() => {}));
    const odd = '{ "id":1.0e0, "jsonrpc":"2.0","method":"m" ,"x":1}';
    const heard = vi.spyOn(first.socket, 'write');
    host.stdin.write(`${odd}\r\n`);
    await first.next();
    expect(String(heard.mock.calls[0]?.[0])).toBe(`${odd}\r\n`);
  });
});

describe('an owner that says nothing', () => {
  const AWAKE_MS = 5_000;

  it('is asked for a sign, and left for another when none comes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [silent, next] = [await owner(), await owner()];
    const reconnect = vi.fn(async () => next.socket);
    bridge(silent.socket, reconnect);
    vi.advanceTimersByTime(2 * AWAKE_MS);
    expect(await silent.next()).toMatchObject({ method: 'ping' });
    expect(reconnect).not.toHaveBeenCalled();
    vi.advanceTimersByTime(4 * AWAKE_MS);
    await vi.waitFor(() => expect(reconnect).toHaveBeenCalledWith(expect.anything(), true));
  });

  it('stays the owner for as long as it gives a sign, which the host does not see', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const idle = await owner();
    const reconnect = vi.fn(async () => idle.socket);
    const host = bridge(idle.socket, reconnect);
    for (let round = 0; round < 3; round += 1) {
      vi.advanceTimersByTime(2 * AWAKE_MS);
      idle.answer((await idle.next()).id);
      // It is heard before what comes next.
      idle.write('{"jsonrpc":"2.0","method":"notifications/message","params":{}}\n');
      await host.next();
    }
    expect(reconnect).not.toHaveBeenCalled();
    expect(host.written()).not.toContain('nexus-bridge:');
  });
});
