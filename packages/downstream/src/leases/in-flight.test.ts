import { describe, expect, it } from 'vitest';
import { beginSlowCall, fake, sourceOf, startDownstreams } from '../../test/downstreams-under-test.ts';

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
