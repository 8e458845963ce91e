import { type Downstreams, type PassedRequest, ProtocolError } from '@nexus/core';
import { ToolError } from '@nexus/plugin-sdk';
import { scopeOf } from '@nexus/testing';
import { describe, expect, it, vi } from 'vitest';
import { fakeDownstreams } from '../test/fake-downstreams.ts';
import { rawSession } from '../test/raw-session.ts';
import { passesOddities, runtime, startSession } from '../test/start-session.ts';

/** Keys that no schema of the protocol knows, in an order that a schema would change. */
const resource = {
  zeta: { deep: [1, { _meta: null }] },
  uri: 'file:///a.txt',
  size: 0,
  name: 'a',
  _meta: { 'acme/x': 1 },
};
const template = { uriTemplate: 'file:///{path}', later: true, name: 'files' };
const prompt = { arguments: [{ name: 'who', hint: 'x' }], name: 'box__greet', icons: [], extra: {} };
const contents = {
  contents: [{ text: '', uri: 'file:///a.txt', lines: 3, _meta: {} }],
  extra: [null],
  _meta: { 'acme/y': [2] },
};

async function session(offered: Partial<Downstreams>) {
  const { downstreams, listeners } = fakeDownstreams(offered);
  const started = startSession([], undefined, { downstreams });
  started.catalogue.resources.add(
    {
      uri: 'nexus://notes',
      name: 'notes',
      title: 'Notes',
      description: 'All notes.',
      mimeType: 'text/plain',
      read: async () => 'own',
    },
    runtime,
  );
  started.catalogue.prompts.add(
    {
      name: 'greet',
      title: 'Greet',
      description: 'Say hello.',
      arguments: [],
      render: () => 'own',
    },
    runtime,
  );
  return { ...(await rawSession(started)), listeners };
}

describe('what servers behind this one offer', () => {
  it('is listed after what is here, every key as it was served', async () => {
    const { ask } = await session({
      resources: async () => [resource],
      resourceTemplates: async () => [template],
      prompts: async () => [prompt],
    });
    const resources = (await ask('resources/list')).result?.resources as unknown[];
    expect(resources).toMatchObject([{ uri: 'nexus://notes' }, { uri: 'file:///a.txt' }]);
    expect(JSON.stringify(resources[1])).toBe(JSON.stringify(resource));
    const templates = (await ask('resources/templates/list')).result?.resourceTemplates;
    expect(JSON.stringify(templates)).toBe(JSON.stringify([template]));
    const prompts = (await ask('prompts/list')).result?.prompts as unknown[];
    expect(prompts).toMatchObject([{ name: 'greet' }, { name: 'box__greet' }]);
    expect(JSON.stringify(prompts[1])).toBe(JSON.stringify(prompt));
  });

  it('is asked for only what is not here, and is not listed twice', async () => {
    const readResource = vi.fn(async () => contents);
    const getPrompt = vi.fn(async () => ({ messages: [] }));
    const { ask } = await session({
      resources: async () => [{ uri: 'nexus://notes' }],
      readResource,
      getPrompt,
    });
    expect((await ask('resources/list')).result?.resources).toHaveLength(1);
    expect((await ask('resources/read', { uri: 'nexus://notes' })).result).toMatchObject({
      contents: [{ text: 'own' }],
    });
    expect((await ask('prompts/get', { name: 'greet' })).result).toMatchObject({
      messages: [{ content: { text: 'own' } }],
    });
    expect(readResource).not.toHaveBeenCalled();
    expect(getPrompt).not.toHaveBeenCalled();
  });

  it('leaves what is here listed when its own list fails', async () => {
    const { ask } = await session({ resources: () => Promise.reject(new Error('gone')) });
    expect((await ask('resources/list')).result?.resources).toMatchObject([{ uri: 'nexus://notes' }]);
  });

  it('answers read, get and complete whole, and gets what the client sent', async () => {
    const seen: unknown[] = [];
    const record = (answer: object) => async (_session: unknown, what: unknown, request: PassedRequest) => {
      seen.push([what, request.meta]);
      request.progress?.({ progress: 0.5 });
      return answer as never;
    };
    const got = { extra: 1, messages: [{ content: { type: 'new', odd: 1 }, role: 'user' }], _meta: {} };
    const completion = { completion: { total: 3, values: ['a'], odd: true }, _meta: { x: 1 } };
    const { ask, heard } = await session({
      readResource: record(contents),
      getPrompt: record(got),
      complete: record(completion),
    });
    const _meta = { progressToken: 'p', 'acme/trace': { a: 1 } };
    const read = await ask('resources/read', { uri: 'file:///a.txt', _meta });
    expect(JSON.stringify(read.result)).toBe(JSON.stringify(contents));
    const get = await ask('prompts/get', { name: 'box__greet', arguments: { who: 'Ada' }, _meta });
    expect(JSON.stringify(get.result)).toBe(JSON.stringify(got));
    const params = {
      ref: { type: 'ref/prompt', name: 'box__greet', title: 'T' },
      argument: { name: 'who', value: 'A' },
      context: { arguments: { lang: 'en' } },
    };
    const completed = await ask('completion/complete', { ...params, _meta });
    expect(JSON.stringify(completed.result)).toBe(JSON.stringify(completion));
    expect(seen).toEqual([
      ['file:///a.txt', _meta],
      [{ name: 'box__greet', arguments: { who: 'Ada' } }, _meta],
      [params, _meta],
    ]);
    expect(heard('notifications/progress')).toEqual(Array(3).fill({ progressToken: 'p', progress: 0.5 }));
    passesOddities();
  });

  it('answers with its own error: code, message and data', async () => {
    const { ask } = await session({
      readResource: () => Promise.reject(new ProtocolError(-32077, 'not today', { retry: [1] })),
      getPrompt: () => Promise.reject(new ToolError('NEXUS_UNAVAILABLE', 'box/server has ended')),
    });
    expect((await ask('resources/read', { uri: 'file:///a.txt' })).error).toEqual({
      code: -32077,
      message: 'not today',
      data: { retry: [1] },
    });
    expect((await ask('prompts/get', { name: 'x' })).error).toEqual({
      code: -32603,
      message: 'box/server has ended',
      data: { code: 'NEXUS_UNAVAILABLE' },
    });
  });

  it('is named where nobody has what was asked for', async () => {
    const { ask } = await session({ resources: async () => [resource], prompts: async () => [prompt] });
    expect((await ask('resources/read', { uri: 'file:///b.txt' })).error).toMatchObject({
      code: -32002,
      message: expect.stringContaining('file:///a.txt'),
      data: { uri: 'file:///b.txt' },
    });
    expect((await ask('resources/subscribe', { uri: 'file:///b.txt' })).error).toMatchObject({
      code: -32002,
    });
    expect((await ask('prompts/get', { name: 'box__gret' })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('box__greet'),
    });
    const ref = { type: 'ref/prompt', name: 'box__gret' };
    const argument = { name: 'who', value: '' };
    expect((await ask('completion/complete', { ref, argument })).error).toMatchObject({ code: -32602 });
  });

  it('is cancelled by the client', async () => {
    let hasEnded = false;
    const { send } = await session({
      readResource: (_session, _uri, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            hasEnded = true;
            reject(signal.reason);
          });
        }),
    });
    await send({ id: 5, method: 'resources/read', params: { uri: 'file:///a.txt' } });
    await send({ method: 'notifications/cancelled', params: { requestId: 5 } });
    await vi.waitFor(() => expect(hasEnded).toBe(true));
  });

  it('keeps a fault of ours to itself', async () => {
    const { ask } = await session({ readResource: () => Promise.reject(new TypeError('the secret inside')) });
    const { error } = await ask('resources/read', { uri: 'file:///a.txt' });
    expect(error).toMatchObject({ code: -32603, data: { correlationId: expect.any(String) } });
    expect(error?.message).not.toContain('secret');
  });

  it.each([
    ['resources/read', { uri: 5 }, 'params.uri'],
    ['prompts/get', { name: 'x', arguments: { a: 1 } }, 'params.arguments.a'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' } }, 'params.argument'],
    ['resources/list', { cursor: 1 }, 'params.cursor'],
  ])('is not asked %s with params that do not fit', async (method, params, path) => {
    const { ask } = await session({ readResource: async () => contents });
    expect((await ask(method, params)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(path),
    });
  });
});

describe('a session whose toolboxes are still opening', () => {
  it('answers initialize and ping at once, and lists and calls when they are open', async () => {
    let open = () => {};
    let opening: Promise<void> | undefined = new Promise((resolve) => {
      open = () => {
        opening = undefined;
        resolve();
      };
    });
    const { send, ask, received } = await session({ ready: () => opening });
    await ask('ping');
    const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
    for (const [index, method] of methods.entries()) await send({ id: 10 + index, method });
    await send({ id: 20, method: 'tools/call', params: { name: 'none' } });
    await ask('ping');
    const answered = () => received.filter(({ id }) => Number(id) >= 10 && Number(id) <= 20).length;
    expect(answered()).toBe(0);
    open();
    await vi.waitFor(() => expect(answered()).toBe(5));
  });
});

describe('notifications of servers behind a session', () => {
  it('go on for what it subscribed to though a second try fails', async () => {
    const subscribe = vi.fn(async () => subscribe.mock.calls.length === 1);
    const { ask, heard, listeners, session: own } = await session({ subscribe });
    const uri = 'file:///a';
    expect((await ask('resources/subscribe', { uri })).error).toBeUndefined();
    expect((await ask('resources/subscribe', { uri })).error).toBeDefined();
    listeners.get(own.id)?.('notifications/resources/updated', { uri });
    await ask('ping');
    expect(heard('notifications/resources/updated')).toEqual([{ uri }]);
  });

  it('reach its client as they are, updates only of what it subscribed to', async () => {
    const unsubscribed = vi.fn(async () => {});
    const {
      ask,
      heard,
      listeners,
      session: own,
    } = await session({
      subscribe: async () => true,
      unsubscribe: unsubscribed,
    });
    const say = (method: string, params: object) => listeners.get(own.id)?.(method, { ...params });
    const update = 'notifications/resources/updated';
    say(update, { uri: 'file:///a' });
    await ask('resources/subscribe', { uri: 'file:///a' });
    say(update, { uri: 'file:///a', title: 'x', _meta: { y: 1 } });
    say(update, { uri: 'file:///a/part' });
    say(update, { uri: 'file:///ab' });
    await ask('resources/unsubscribe', { uri: 'file:///a' });
    await ask('resources/unsubscribe', { uri: 'file:///never' });
    say(update, { uri: 'file:///a' });
    say('notifications/resources/list_changed', {});
    say('notifications/prompts/list_changed', { _meta: { z: 1 } });
    say('notifications/elicitation/complete', { elicitationId: 'e' });
    await ask('ping');
    expect(heard(update)).toEqual([
      { uri: 'file:///a', title: 'x', _meta: { y: 1 } },
      { uri: 'file:///a/part' },
    ]);
    expect(heard('notifications/resources/list_changed')).toEqual([{}]);
    expect(heard('notifications/prompts/list_changed')).toEqual([{ _meta: { z: 1 } }]);
    expect(heard('notifications/elicitation/complete')).toEqual([{ elicitationId: 'e' }]);
    expect(unsubscribed).toHaveBeenCalledTimes(1);
  });

  it('are log messages as the server sends them until the client sets a level, which the server is told', async () => {
    const setLogLevel = vi.fn(async () => {});
    const { ask, heard, listeners, session: own } = await session({ setLogLevel });
    const message = 'notifications/message';
    const say = (level: string) => listeners.get(own.id)?.(message, { level, data: [level], odd: 1 });
    say('debug');
    await ask('logging/setLevel', { level: 'warning' });
    expect(setLogLevel).toHaveBeenCalledWith(scopeOf(own.id), 'warning');
    say('info');
    say('error');
    await ask('ping');
    expect(heard(message)).toEqual([
      { level: 'debug', data: ['debug'], odd: 1 },
      { level: 'error', data: ['error'], odd: 1 },
    ]);
  });

  it('stop with the session, and come to none that has not begun', async () => {
    const { downstreams, listeners } = fakeDownstreams();
    const started = startSession([], undefined, { downstreams });
    const heard = vi.fn();
    started.clientEnd.start({ message: heard, closed() {} });
    listeners.get(started.session.id)?.('notifications/prompts/list_changed', {});
    await started.session.close();
    expect(listeners.size).toBe(0);
    expect(heard).not.toHaveBeenCalled();
  });
});
