import { ProtocolError } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { describe, expect, it } from 'vitest';
import { beginSlowCall, fake, sourceOf, startDownstreams } from '../../test/downstreams-under-test.ts';
import { createInFlightCalls, type InFlight } from './in-flight.ts';

const source = sourceOf({ a: { mcpServers: { s: fake() } } });

describe('a request of a server to its client', () => {
  it('goes to the session whose call is in flight, saying who asks, all else as it is', async () => {
    await using test = startDownstreams(source);
    const asked: unknown[] = [];
    const session = test.session('one', {
      async answer(method, params) {
        asked.push({ method, params });
        return { action: 'accept', content: { name: 'Ada' }, unknown: [1] };
      },
    });
    await session.open('a');
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} }, unknown: true };
    const result = await session.call('a__s__ask', { method: 'elicitation/create', params });
    expect(result.structuredContent).toEqual({
      result: { action: 'accept', content: { name: 'Ada' }, unknown: [1] },
    });
    expect(asked).toEqual([
      { method: 'elicitation/create', params: { ...params, message: 'a/s asks: Who?' } },
    ]);
  });

  it('that the client does not offer is answered as a method it has not', async () => {
    await using test = startDownstreams(source);
    const session = test.session('one');
    await session.open('a');
    const result = await session.call('a__s__ask', { method: 'sampling/createMessage', params: {} });
    expect(result.structuredContent).toEqual({
      error: { code: -32601, message: 'The client does not offer sampling/createMessage.' },
    });
  });

  it('is refused while calls of two sessions are in flight', async () => {
    await using test = startDownstreams(source);
    const answer = async () => ({ roots: [] });
    const [one, other] = [test.session('one', { answer }), test.session('other', { answer })];
    await one.open('a');
    await other.open('a');
    const slow = await beginSlowCall(other, 'a__s__slow');
    expect((await one.call('a__s__ask', { method: 'roots/list' })).structuredContent).toMatchObject({
      error: { message: expect.stringContaining('2 sessions have calls in flight') },
    });
    await slow.end();
    expect((await one.call('a__s__ask', { method: 'roots/list' })).structuredContent).toEqual({
      result: { roots: [] },
    });
  });
});

describe('of calls in flight on one connection', () => {
  const sessionAsked = (sessionId: string, answer: () => Promise<Members>) => {
    const asked: string[] = [];
    const ask = async (method: string) => {
      asked.push(method);
      return answer();
    };
    return { asked, call: { sessionId, asking: { ask } } };
  };
  const roots = async () => ({ roots: [] });
  const refusalOf = (asking: Promise<unknown>) =>
    asking.then(
      () => undefined,
      (error: ProtocolError) => ({ code: error.code, message: error.message }),
    );
  const NONE = {
    code: -32600,
    message: 'roots/list was refused: no call of a client is in flight on this connection',
  };

  it('none is asked before one begins, nor once it has ended, well or not', async () => {
    const calls = createInFlightCalls();
    const { asked, call } = sessionAsked('one', roots);
    expect(await refusalOf(calls.ask('roots/list', {}))).toEqual(NONE);
    const works = [() => Promise.resolve('done'), () => Promise.reject(new Error('gone'))];
    for (const work of works) {
      const during = calls.during(call, async () => {
        expect([...calls.sessions()]).toEqual(['one']);
        expect(await calls.ask('roots/list', {})).toEqual({ roots: [] });
        return work();
      });
      await during.catch(() => {});
      expect([...calls.sessions()]).toEqual([]);
      expect(await refusalOf(calls.ask('roots/list', {}))).toEqual(NONE);
    }
    expect(asked).toEqual(['roots/list', 'roots/list']);
  });

  it('the latest of one session is asked, and of two sessions none', async () => {
    const calls = createInFlightCalls();
    const [first, second, other] = ['one', 'one', 'other'].map((id) => sessionAsked(id, roots));
    let end = () => {};
    const wait = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running = [first, second].map((each) => calls.during(each?.call as InFlight, () => wait));
    await calls.ask('roots/list', {});
    expect([first?.asked, second?.asked]).toEqual([[], ['roots/list']]);
    running.push(calls.during(other?.call as InFlight, () => wait));
    expect(await refusalOf(calls.ask('roots/list', {}))).toEqual({
      code: -32600,
      message:
        'roots/list was refused: 2 sessions have calls in flight on this connection, and nothing tells whose request it is; isolation "session" gives each a connection of its own',
    });
    expect(other?.asked).toEqual([]);
    end();
    await Promise.all(running);
  });

  it('an error of the client that says more than that it has no such method passes as it is', async () => {
    const calls = createInFlightCalls();
    const refused = new ProtocolError(-32042, 'not now');
    const { call } = sessionAsked('one', () => Promise.reject(refused));
    await calls.during(call, async () => {
      await expect(calls.ask('roots/list', {})).rejects.toBe(refused);
    });
  });
});
