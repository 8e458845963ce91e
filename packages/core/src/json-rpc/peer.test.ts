import type { Log } from '@nexus/plugin-sdk';
import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it, vi } from 'vitest';
import type { Channel, JsonRpcMessage } from '../channel.ts';
import { ProtocolError } from '../errors/protocol-error.ts';
import { RequestEnd } from '../timeouts/end-signal.ts';
import { ANSWER_MS, endsWithin, timed } from '../timeouts/timed-end.ts';
import { createPeer, type PeerHandlers } from './peer.ts';

function start(handlers: Partial<PeerHandlers> = {}, send?: Channel['send']) {
  const sent: JsonRpcMessage[] = [];
  const related: unknown[] = [];
  let receive: (message: JsonRpcMessage) => void = () => {};
  let close = () => {};
  const log: Log = { debug() {}, info() {}, warn: vi.fn(), error() {} };
  const channel: Channel = {
    kind: 'test',
    trust: 'user',
    start(given) {
      receive = given.message;
      close = given.closed;
    },
    send:
      send ??
      (async (message, options) => {
        sent.push(message);
        related.push(options?.relatedRequestId);
      }),
    async close() {},
  };
  const peer = createPeer(
    channel,
    { request: async () => ({}), notification() {}, closed() {}, ...handlers },
    log,
  );
  const from = (message: Omit<JsonRpcMessage, 'jsonrpc'>) => receive({ jsonrpc: '2.0', ...message });
  return { peer, sent, related, from, close: () => close(), log };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what this side asks', () => {
  it('is answered by its id, results and errors as they came', async () => {
    const { peer, sent, from } = start();
    const first = peer.request('a', { x: 1 }, { signal: endsWithin(ANSWER_MS) });
    const second = peer.request('b', undefined, { signal: endsWithin(ANSWER_MS) });
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'b' },
    ]);
    from({ id: 2, error: { code: -7, message: 'no', data: { why: 1 } } });
    from({ id: 1, result: { odd: { order: 1 } } });
    expect(await first).toEqual({ odd: { order: 1 } });
    await expect(second).rejects.toEqual(new ProtocolError(-7, 'no', { why: 1 }));
  });

  it('carries its own id as progress token, and hears of progress that comes in one turn with the result', async () => {
    const { peer, sent, from } = start();
    const seen: unknown[] = [];
    const asked = peer.request(
      'a',
      { _meta: { progressToken: 'theirs', trace: 1 } },
      { signal: endsWithin(ANSWER_MS), onProgress: (report) => seen.push(report), relatedRequestId: 'r' },
    );
    expect(sent[0]?.params).toEqual({ _meta: { progressToken: 1, trace: 1 } });
    from({ method: 'notifications/progress', params: { progressToken: 1, progress: 0.5 } });
    from({ id: 1, result: {} });
    from({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    await asked;
    expect(seen).toEqual([{ progress: 0.5 }]);
  });

  it('forgets a token that its caller does not want progress for', () => {
    const { peer, sent } = start();
    void peer.request('a', { _meta: { progressToken: 'theirs' } }, { signal: endsWithin(ANSWER_MS) });
    expect(sent[0]?.params).toEqual({ _meta: {} });
  });

  it('tells the other side that it no longer waits, beside the request that it belongs to', async () => {
    const { peer, sent, related } = start();
    const end = new RequestEnd();
    const asked = peer.request('a', {}, { signal: timed(end), relatedRequestId: 'r' });
    end.end(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(sent[1]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'enough' },
    });
    expect(related).toEqual(['r', 'r']);
  });

  it('never cancels initialize, and asks nothing for a signal that has fired', async () => {
    const { peer, sent } = start();
    const end = new RequestEnd();
    const asked = peer.request('initialize', {}, { signal: timed(end) });
    end.end(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await expect(peer.request('a', {}, { signal: timed(end) })).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });

  it('fails with the channel', async () => {
    const { peer } = start({}, () => Promise.reject(new Error('broken pipe')));
    await expect(peer.request('a', {}, { signal: endsWithin(ANSWER_MS) })).rejects.toThrow('broken pipe');
  });

  it('fails when it is told that the channel has ended, then and later', async () => {
    const { peer } = start();
    const asked = peer.request('a', {}, { signal: endsWithin(ANSWER_MS) });
    peer.fail({ pending: new Error('died'), later: new Error('dead') });
    peer.fail({ pending: new Error('again'), later: new Error('again') });
    await expect(asked).rejects.toThrow('died');
    await expect(peer.request('a', {}, { signal: endsWithin(ANSWER_MS) })).rejects.toThrow('dead');
    await expect(peer.notify('n')).rejects.toThrow('dead');
  });

  it('has it logged when an error answers nothing that it asked', () => {
    const { from, log } = start();
    from({ error: { code: -32700, message: 'parse' } });
    from({ id: 99, result: {} });
    expect(log.warn).toHaveBeenCalledTimes(1);
  });
});

describe('what the other side asks', () => {
  it('is answered under its id, 0 and texts too', async () => {
    const { sent, from } = start({ request: async (method, params) => ({ method, params }) });
    from({ id: 0, method: 'a', params: { x: 1 } });
    await turn();
    from({ id: 'p', method: 'b' });
    await turn();
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 0, result: { method: 'a', params: { x: 1 } } },
      { jsonrpc: '2.0', id: 'p', result: { method: 'b', params: {} } },
    ]);
  });

  it.each([
    [
      'a protocol error as it is',
      new ProtocolError(-5, 'm', { d: 1 }),
      { code: -5, message: 'm', data: { d: 1 } },
    ],
    [
      'a tool error with its code',
      new ToolError('NEXUS_REFUSED', 'no'),
      { code: -32603, message: 'no', data: { code: 'NEXUS_REFUSED' } },
    ],
    ['anything else without a word of it', new Error('secret'), { code: -32603, message: 'Internal error' }],
    ['what is no error', undefined, { code: -32603, message: 'Internal error' }],
  ])('hears of %s', async (_, thrown, error) => {
    const { sent, from } = start({ request: () => Promise.reject(thrown) });
    from({ id: 1, method: 'a' });
    await turn();
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
  });

  it('is ended and not answered once cancelled, id 0 too', async () => {
    let end: RequestEnd | undefined;
    const { peer, sent, from } = start({
      async request(_method, _params, extra) {
        end = extra.end;
        await new Promise<void>((resolve) => extra.end.addEventListener('abort', resolve));
        return {};
      },
    });
    from({ id: 0, method: 'a' });
    expect(peer.inFlight()).toBe(1);
    from({ method: 'notifications/cancelled', params: { requestId: 0, reason: 'changed my mind' } });
    expect(end?.reason).toEqual(new Error('changed my mind'));
    expect(peer.inFlight()).toBe(0);
    await turn();
    expect(sent).toEqual([]);
  });

  it('gets an error where the result can’t be sent', async () => {
    const sent: JsonRpcMessage[] = [];
    const { from } = start({ request: async () => ({ count: 1n }) }, async (message) => {
      sent.push(JSON.parse(JSON.stringify(message)));
    });
    from({ id: 4, method: 'a' });
    await turn();
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 4, error: { code: -32603, message: 'Internal error' } }]);
  });

  it('has work done once its answer has left, at once, and none where it has not', async () => {
    const done: unknown[] = [];
    const urgent: unknown[] = [];
    let isGone = false;
    const session = start(
      {
        async request(_method, { name }, request) {
          request.afterAnswer(async () => void done.push(name, urgent.length));
          request.afterAnswer(() => Promise.reject(new Error('away')));
          if (name === 'cancelled')
            session.from({ method: 'notifications/cancelled', params: { requestId: 2 } });
          return { name };
        },
      },
      async (_message, options) => {
        if (isGone) throw new Error('gone');
        urgent.push(options?.isUrgent);
      },
    );
    session.from({ id: 1, method: 'm', params: { name: 'answered' } });
    await turn();
    expect([done, urgent]).toEqual([['answered', 1], [true]]);
    expect(session.log.warn).toHaveBeenCalledOnce();
    session.from({ id: 2, method: 'm', params: { name: 'cancelled' } });
    await turn();
    isGone = true;
    session.from({ id: 3, method: 'm', params: { name: 'gone' } });
    await turn();
    expect(done).toEqual(['answered', 1]);
  });

  it('keeps this side from being idle until its answer has left', async () => {
    let finish = () => {};
    const { peer, from, sent } = start({
      request: () => new Promise((resolve) => (finish = () => resolve({}))),
    });
    await peer.idle();
    from({ id: 1, method: 'a' });
    const idle = vi.fn();
    void peer.idle().then(idle);
    await turn();
    expect(idle).not.toHaveBeenCalled();
    finish();
    await peer.idle();
    expect(sent).toHaveLength(1);
    expect(idle).toHaveBeenCalled();
  });

  it('ends when this side fails', async () => {
    let reason: unknown;
    const { peer, from, sent } = start({
      async request(_method, _params, { end }) {
        await new Promise<void>((resolve) => end.addEventListener('abort', resolve));
        reason = end.reason;
        return {};
      },
    });
    from({ id: 1, method: 'a' });
    peer.fail({ pending: new Error('gone'), later: new Error('gone') });
    await peer.idle();
    await turn();
    expect(reason).toEqual(new Error('gone'));
    expect(sent).toEqual([]);
  });
});

it('hands on every other notification, and says when the channel closes', () => {
  const heard: unknown[] = [];
  const closed = vi.fn();
  const { from, close } = start({ notification: (...given) => heard.push(given), closed });
  from({ method: 'notifications/roots/list_changed' });
  from({ method: 'notifications/odd', params: { a: 1 } });
  close();
  expect(heard).toEqual([
    ['notifications/roots/list_changed', {}],
    ['notifications/odd', { a: 1 }],
  ]);
  expect(closed).toHaveBeenCalledOnce();
});
