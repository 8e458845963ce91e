import { type ClientRequests, endsWithin } from '@nexus/core';
import { scopeOf } from '@nexus/testing';
import { describe, expect, it, vi } from 'vitest';
import {
  fake,
  receivedBy,
  type SessionUnderTest,
  sourceOf,
  startDownstreams,
  textOf,
} from '../../test/downstreams-under-test.ts';

const full = () => fake({ resources: true });
const two = sourceOf({
  a: { mcpServers: { s: full() } },
  b: { mcpServers: { t: fake({ resources: true, name: 't' }) } },
});
const request = { signal: endsWithin(60_000) };

async function openBoth(session: SessionUnderTest): Promise<void> {
  await session.open('a');
  await session.open('b');
}

describe('resources', () => {
  it('keep their URIs, and one that another server has too is wrapped and read where it is from', async () => {
    await using test = startDownstreams(two);
    const { downstreams } = test;
    const session = test.session('one');
    expect(await downstreams.resources(scopeOf('one'))).toEqual([]);
    await session.open('a');
    const first = await downstreams.resources(scopeOf('one'));
    expect(first[0]).toEqual({ uri: 'fake://a', name: 'a', mimeType: 'text/plain', unknownKey: 'kept' });
    await session.open('b');
    const uris = (await downstreams.resources(scopeOf('one'))).map(({ uri }) => uri);
    expect(uris).toEqual([
      'fake://a',
      'fake://b',
      'fake://c',
      ...['a', 'b', 'c'].map((name) => `toolbox://b/t/fake%3A%2F%2F${name}`),
    ]);
    expect(await downstreams.readResource(scopeOf('one'), 'toolbox://b/t/fake%3A%2F%2Fa', request)).toEqual({
      contents: [
        { uri: 'toolbox://b/t/fake%3A%2F%2Fa', mimeType: 'text/plain', text: 'content of fake://a' },
      ],
      unknownKey: 'kept',
    });
  });

  it('are read by list, by template, and by asking each server', async () => {
    await using test = startDownstreams(two);
    await openBoth(test.session('one'));
    const read = (uri: string) => test.downstreams.readResource(scopeOf('one'), uri, request);
    expect(await read('fake://b')).toMatchObject({ contents: [{ text: 'content of fake://b' }] });
    expect(await read('fake://items/7')).toMatchObject({ contents: [{ text: 'content of fake://items/7' }] });
    expect(await read('fake://not/listed')).toMatchObject({ contents: [{ uri: 'fake://not/listed' }] });
    await expect(read('other://x')).rejects.toMatchObject({ code: -32002, data: { uri: 'other://x' } });
  });

  it('have templates as their servers have them, equal ones once', async () => {
    await using test = startDownstreams(two);
    await openBoth(test.session('one'));
    expect(await test.downstreams.resourceTemplates(scopeOf('one'))).toEqual([
      { uriTemplate: 'fake://items/{id}', name: 'items', _meta: { kept: true } },
    ]);
  });

  it.each(['nexus', 'NEXUS', 'n\u0435xus', 'toolbox://b/gone/fake'])(
    'of %s://, which would be taken for another’s, are listed by their server and read there, and nowhere else',
    async (scheme) => {
      const source = sourceOf({
        a: { mcpServers: { s: fake({ resources: scheme }) } },
        b: { mcpServers: { t: full() } },
      });
      await using test = startDownstreams(source);
      const { downstreams } = test;
      await openBoth(test.session('one'));
      const scope = scopeOf('one');
      const uris = (await downstreams.resources(scope)).map(({ uri }) => String(uri));
      const uri = `toolbox://a/s/${encodeURIComponent(`${scheme}://a`)}`;
      expect(uris.filter((each) => !each.startsWith('toolbox://a/s/'))).toEqual([
        'fake://a',
        'fake://b',
        'fake://c',
      ]);
      expect(uris).toContain(uri);
      const read = async (asked: string) => {
        const result = await downstreams.readResource(scope, asked, request).catch(() => undefined);
        return [result?.contents].flat().at(-1);
      };
      expect(await read(uri)).toMatchObject({ uri, text: `content of ${scheme}://a` });
      const templates = (await downstreams.resourceTemplates(scope)).map(({ uriTemplate }) => uriTemplate);
      expect(templates).toEqual([`toolbox://a/s/${scheme}://items/{id}`, 'fake://items/{id}']);
      const filled = `toolbox://a/s/${scheme}://items/a%20b`;
      expect(await read(filled)).toMatchObject({ uri: filled, text: `content of ${scheme}://items/a%20b` });
      expect(await read(`${scheme}://a`)).toBeUndefined();
      expect(await read(`${scheme}://items/1`)).toBeUndefined();
      expect(await downstreams.subscribe(scope, uri)).toBe(true);
      expect(await downstreams.subscribe(scope, `${scheme}://b`)).toBe(false);
      const asked = {
        ref: { type: 'ref/resource', uri: templates[0] },
        argument: { name: 'id', value: 'x' },
      };
      expect(await downstreams.complete(scope, asked, request)).toMatchObject({
        completion: { values: ['x1', 'x2'] },
      });
    },
  );

  it('are nobody’s for a session that has nothing open', async () => {
    await using test = startDownstreams(two);
    test.session('one');
    expect(await test.downstreams.readResource(scopeOf('one'), 'fake://a', request)).toBeUndefined();
    expect(await test.downstreams.subscribe(scopeOf('one'), 'fake://a')).toBe(false);
  });
});

it.each(['resources/read', 'prompts/get', 'completion/complete'])(
  'a server that does not answer %s is waited for until its time is over, and named',
  async (method) => {
    const silent = sourceOf({ a: { mcpServers: { s: fake({ resources: true, hang: method }) } } });
    await using test = startDownstreams(silent);
    const { downstreams } = test;
    await test.session('one').open('a');
    const soon = { signal: endsWithin(300) };
    const ref = { type: 'ref/prompt', name: 'a__s__greet' };
    const asked = {
      'resources/read': () => downstreams.readResource(scopeOf('one'), 'fake://a', soon),
      'prompts/get': () => downstreams.getPrompt(scopeOf('one'), { name: ref.name }, soon),
      'completion/complete': () =>
        downstreams.complete(scopeOf('one'), { ref, argument: { name: 'who', value: '' } }, soon),
    }[method];
    await expect(asked?.()).rejects.toMatchObject({
      code: 'NEXUS_TIMEOUT',
      message: expect.stringContaining(`Server "s" of toolbox "a" did not answer ${method}`),
    });
  },
);

describe('a subscription', () => {
  it('is made once for all sessions, told to those that have it, and ended with the last', async () => {
    await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: full() } } }));
    const { downstreams } = test;
    const [one, other, third] = ['one', 'other', 'third'].map((id) => test.session(id)) as [
      SessionUnderTest,
      SessionUnderTest,
      SessionUnderTest,
    ];
    for (const session of [one, other, third]) await session.open('a');
    expect(await downstreams.subscribe(scopeOf('one'), 'fake://a')).toBe(true);
    expect(await downstreams.subscribe(scopeOf('other'), 'fake://a')).toBe(true);
    const touch = async () => textOf(await third.call('a__s__touch_resource', { uri: 'fake://a' }));
    expect(await touch()).toBe('told');
    const updated = { method: 'notifications/resources/updated', params: { uri: 'fake://a' } };
    await vi.waitFor(() => expect(other.notifications).toEqual([updated]));
    expect([one.notifications, third.notifications]).toEqual([[updated], []]);
    await downstreams.unsubscribe(scopeOf('one'), 'fake://a');
    expect(await touch()).toBe('told');
    await other.close('a');
    await vi.waitFor(async () => expect(await touch()).toBe('nobody subscribed'));
    expect(one.notifications).toHaveLength(1);
  });

  it('is made again for a server that had to be started again', async () => {
    await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: full() } } }));
    const session = test.session('one');
    await session.open('a');
    await test.downstreams.subscribe(scopeOf('one'), 'fake://a');
    await session.call('a__s__die');
    await vi.waitFor(async () =>
      expect(textOf(await session.call('a__s__touch_resource', { uri: 'fake://a' }))).toBe('told'),
    );
  });
});

describe('prompts', () => {
  it('are named as tools are, and fetched and completed under their servers’ own names', async () => {
    await using test = startDownstreams(two);
    await openBoth(test.session('one'));
    const { downstreams } = test;
    const prompts = await downstreams.prompts(scopeOf('one'));
    expect(prompts).toEqual([
      { name: 'a__s__greet', arguments: [{ name: 'who', required: true }], unknownKey: 'kept' },
      { name: 'b__t__greet', arguments: [{ name: 'who', required: true }], unknownKey: 'kept' },
    ]);
    const prompt = { name: 'b__t__greet', arguments: { who: 'Ada' } };
    expect(await downstreams.getPrompt(scopeOf('one'), prompt, request)).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }],
    });
    expect(await downstreams.getPrompt(scopeOf('one'), { name: 'greet' }, request)).toBeUndefined();
    const completion = { completion: { values: ['A1', 'A2'], total: 2, hasMore: false } };
    const argument = { name: 'who', value: 'A' };
    for (const ref of [
      { type: 'ref/prompt', name: 'a__s__greet' },
      { type: 'ref/resource', uri: 'fake://items/{id}' },
    ]) {
      expect(await downstreams.complete(scopeOf('one'), { ref, argument }, request)).toEqual(completion);
    }
    const unknown = { ref: { type: 'ref/prompt', name: 'greet' }, argument };
    expect(await downstreams.complete(scopeOf('one'), unknown, request)).toBeUndefined();
  });

  it('bear their own names without a prefix', async () => {
    await using test = startDownstreams(sourceOf({ a: { prefix: false, mcpServers: { s: full() } } }));
    await test.session('one').open('a');
    expect(await test.downstreams.prompts(scopeOf('one'))).toMatchObject([{ name: 'greet' }]);
  });
});

describe('log messages', () => {
  it('reach each session that has the toolbox open, from the level up that it asked for', async () => {
    await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
    const { downstreams } = test;
    const [one, other, outside] = [test.session('one'), test.session('other'), test.session('outside')];
    await one.open('a');
    await other.open('a');
    await downstreams.setLogLevel(scopeOf('one'), 'error');
    await downstreams.setLogLevel(scopeOf('other'), 'debug');
    await one.call('a__s__log', { level: 'info', data: 'small' });
    await one.call('a__s__log', { level: 'critical', data: 'big' });
    const message = (level: string, data: string) => ({
      method: 'notifications/message',
      params: { level, logger: 'a/s: fake', data },
    });
    await vi.waitFor(() => expect(other.notifications).toHaveLength(2));
    expect(other.notifications).toEqual([message('info', 'small'), message('critical', 'big')]);
    expect(one.notifications).toEqual([message('critical', 'big')]);
    expect(outside.notifications).toEqual([]);
    expect(await levelsToldBy(one)).toEqual(['error', 'debug']);
  });

  it('are wanted no more from the level up of a session that has left, or closed the toolbox', async () => {
    await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
    const { downstreams } = test;
    const [one, other, third] = [test.session('one'), test.session('other'), test.session('third')];
    for (const session of [one, other, third]) await session.open('a');
    await downstreams.setLogLevel(scopeOf('one'), 'error');
    await downstreams.setLogLevel(scopeOf('other'), 'debug');
    await downstreams.setLogLevel(scopeOf('third'), 'warning');
    await scopeOf('other').end();
    await third.close('a');
    await downstreams.setLogLevel(scopeOf('one'), 'critical');
    await scopeOf('one').end();
    const last = test.session('last');
    await last.open('a');
    const told = await levelsToldBy(last);
    expect(told).toEqual(['error', 'debug', 'warning', 'error', 'critical', 'info']);
  });

  it('are as without a level once nobody says one any more', async () => {
    await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
    const [one, other] = [test.session('one'), test.session('other')];
    await one.open('a');
    await other.open('a');
    await test.downstreams.setLogLevel(scopeOf('one'), 'debug');
    await scopeOf('one').end();
    expect(await levelsToldBy(other)).toEqual(['debug', 'info']);
  });
});

async function levelsToldBy(session: ReturnType<ReturnType<typeof startDownstreams>['session']>) {
  const received = await receivedBy(session, 'a__s__received');
  return received.filter(({ method }) => method === 'logging/setLevel').map(({ params }) => params?.level);
}

it('passes on whatever else a server says', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
  const session = test.session('one');
  await session.open('a');
  const params = { elicitationId: '7' };
  await session.call('a__s__notify', { method: 'notifications/elicitation/complete', params });
  await vi.waitFor(() =>
    expect(session.notifications).toEqual([{ method: 'notifications/elicitation/complete', params }]),
  );
});

it('lists the tools anew that a server says have changed', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
  const [one, other] = [test.session('one'), test.session('other')];
  await one.open('a');
  await other.open('a');
  const changed: unknown[] = [];
  test.registry.onChange((session) => changed.push(session?.id));
  await one.call('a__s__change_list');
  await vi.waitFor(() => expect(other.listed()).toContain('a__s__added'));
  expect(changed.sort()).toEqual(['one', 'other']);
  expect(textOf(await one.call('a__s__added'))).toBe('here now');
  await one.call('a__s__change_list');
  await vi.waitFor(() => expect(one.listed()).not.toContain('a__s__added'));
});

describe('a client’s roots', () => {
  const roots = { roots: [{ uri: 'file:///a', name: 'a' }] };

  async function changed(others: number) {
    const test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake({ asksForRoots: true }) } } }));
    // Also of a call that happens to be in flight when the server asks.
    const session = test.session('one', others === 0 ? { answer: async () => roots } : {});
    await session.open('a');
    for (let at = 0; at < others; at += 1) await test.session(`other ${at}`).open('a');
    const ask = { pass: async () => roots } as unknown as ClientRequests;
    test.downstreams.rootsChanged(scopeOf('one'), ask);
    return { test, session };
  }

  it('that changed are told to its servers, and named to one that asks', async () => {
    const { test, session } = await changed(0);
    await using _ = test;
    await vi.waitFor(async () => {
      const received = await receivedBy(session, 'a__s__received');
      expect(received).toContainEqual({ method: 'roots', params: { result: roots } });
    });
  });

  it('are named to nobody where several sessions have the server, and nothing tells whose are meant', async () => {
    const { test, session } = await changed(1);
    await using _ = test;
    await vi.waitFor(async () => {
      const received = await receivedBy(session, 'a__s__received');
      expect(received.map(({ method }) => method)).toContain('notifications/roots/list_changed');
      expect(received.find(({ method }) => method === 'roots')?.params).toHaveProperty('error');
    });
  });
});

it('keeps what a server says of its own use, for who opens its toolbox and who lists them', async () => {
  const instructions = 'Begin with echo.';
  await using test = startDownstreams(
    sourceOf({ a: { mcpServers: { s: fake({ instructions }), quiet: fake({ name: 'quiet' }) } } }),
  );
  const opened = await test.session('one').open('a');
  expect(opened.instructions).toEqual([{ server: 's', text: instructions, chars: 16 }]);
  expect(await test.downstreams.list(['a'], scopeOf('one'))).toMatchObject([
    { servers: [{ instructions: { text: instructions, chars: 16 } }, { name: 'quiet' }] },
  ]);
});
