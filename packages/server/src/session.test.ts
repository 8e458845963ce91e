import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ProgressNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { pluginTool } from '@nexus/core/definitions';
import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { scopeOf } from '@nexus/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { rawSession } from '../test/raw-session.ts';
import { connectClient, passesOddities, runtime, startSession } from '../test/start-session.ts';

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

function tool(
  name: string,
  call: (input: { value: number }, context: CallContext) => Promise<{ value: number }>,
) {
  return defineTool({
    name,
    title: name,
    description: `The tool ${name}.`,
    input: z.object({ value: z.number().default(1).describe('A number') }),
    output: z.object({ value: z.number() }),
    annotations,
    budget: 'interactive',
    call,
  });
}

const double = tool('double', async ({ value }) => ({ value: value * 2 }));

/** A folder that is there, and no part of the project. */
const ELSEWHERE = mkdtempSync(join(tmpdir(), 'nexus-elsewhere-'));
afterAll(() => rmSync(ELSEWHERE, { recursive: true }));

describe('a session', () => {
  it('tells its name, version, instructions and capabilities at initialize', async () => {
    const { clientEnd } = startSession();
    const client = await connectClient(clientEnd);
    expect(client.getServerVersion()).toEqual({ name: 'fixture', version: '1.2.3' });
    expect(client.getInstructions()).toBe('read me');
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      resources: { subscribe: true },
    });
  });

  it('lists tools sorted by name, whatever cursor is sent', async () => {
    const { send, answer } = await rawSession([double, tool('alpha', async (input) => input)]);
    await send({ id: 1, method: 'tools/list', params: { cursor: 'made-up' } });
    const { result } = await answer(1);
    expect(result?.tools).toMatchObject([{ name: 'alpha' }, { name: 'double' }]);
    expect(result).not.toHaveProperty('nextCursor');
  });

  it('says defaults in words to a host whose models see none, of Nexus’s own tools alone', async () => {
    const { registry, open } = startSession([double]);
    const own = pluginTool(
      tool('box__it__double', async (input) => input),
      runtime,
    );
    registry.register({ ...own, origin: 'box/it/double' });
    const seenBy = async (name: string) => {
      const { tools } = await (await connectClient(open().clientEnd, {}, name)).listTools();
      return tools.map(({ inputSchema }) => inputSchema.properties);
    };
    const value = { type: 'number', default: 1, description: 'A number' };
    expect(await seenBy('tester')).toEqual([{ value }, { value }]);
    const inWords = { value: { ...value, description: 'A number (default 1)' } };
    expect(await seenBy('codex-mcp-client')).toEqual([{ value }, inWords]);
  });

  it('answers a call with structured content and the same as text', async () => {
    const { clientEnd } = startSession([double]);
    const client = await connectClient(clientEnd);
    const result = await client.callTool({ name: 'double', arguments: { value: 21 } });
    expect(result).toEqual({
      structuredContent: { value: 42 },
      content: [{ type: 'text', text: '{"value":42}' }],
      _meta: { 'nexus/label': { trust: 'trusted', privacy: 'private' } },
    });
  });

  it('has work done once a call’s answer is on its way, and not before', async () => {
    const done = vi.fn(async () => {});
    const followed = tool('followed', async (input, { afterAnswer }) => {
      afterAnswer?.(done);
      await new Promise(setImmediate);
      expect(done).not.toHaveBeenCalled();
      return input;
    });
    const { clientEnd } = startSession([followed]);
    const client = await connectClient(clientEnd);
    const result = await client.callTool({ name: 'followed', arguments: { value: 1 } });
    expect(result.structuredContent).toEqual({ value: 1 });
    await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
  });

  it('takes arguments beside an empty `arguments`, which the SDK would strip', async () => {
    const { send, answer } = await rawSession([double]);
    await send({ id: 1, method: 'tools/call', params: { name: 'double', arguments: {}, value: 4 } });
    const { result } = await answer(1);
    expect(result?.structuredContent).toEqual({ value: 8 });
    expect(result?._meta).toMatchObject({ 'nexus/normalized': { source: 'inline' } });
  });

  it.each([
    ['an array', []],
    ['a string', 'x'],
    ['null', null],
  ])('answers arguments that are %s with -32602 in its own words', async (_type, args) => {
    const { send, answer } = await rawSession([double]);
    await send({ id: 1, method: 'tools/call', params: { name: 'double', arguments: args } });
    const { error } = await answer(1);
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('arguments must be an object'),
    });
  });

  it.each(['tools/destroy', 'constructor', '__proto__'])(
    'answers the unknown method %s with -32601',
    async (method) => {
      const { send, answer } = await rawSession([]);
      await send({ id: 1, method });
      expect((await answer(1)).error).toMatchObject({ code: -32601 });
    },
  );

  it.each([
    ['logging/setLevel', { level: 'loud' }, 'params.level'],
    ['resources/read', {}, 'params.uri'],
    ['ping', { _meta: { progressToken: {} } }, 'params._meta.progressToken'],
    ['tools/call', { name: 'double', _meta: null }, 'params._meta'],
  ])('answers params of %s that do not fit with -32602 naming the place', async (method, params, path) => {
    const { send, answer } = await rawSession([double]);
    await send({ id: 1, method, params });
    expect((await answer(1)).error).toMatchObject({ code: -32602, message: expect.stringContaining(path) });
  });

  it('answers a request with a member that JSON-RPC does not know', async () => {
    const { send, answer } = await rawSession([double]);
    await send({ id: 1, method: 'tools/call', params: { name: 'double' }, extra: 'member' });
    expect((await answer(1)).result?.structuredContent).toEqual({ value: 2 });
  });

  it('processes a request for a task as any other where none are offered', async () => {
    const { send, answer } = await rawSession([double]);
    await send({ id: 1, method: 'resources/list', params: { task: { ttl: 1000 } } });
    expect((await answer(1)).result).toEqual({ resources: [] });
  });

  it('reports a tool error as a result, and a fault as -32603 with a correlation id and no stack', async () => {
    const { send, answer } = await rawSession([
      tool('missing', async () => {
        throw new ToolError('NEXUS_NOT_FOUND', 'there is no such thing');
      }),
      tool('broken', async () => {
        throw new Error('the secret inside');
      }),
    ]);
    await send({ id: 1, method: 'tools/call', params: { name: 'missing' } });
    await send({ id: 2, method: 'tools/call', params: { name: 'broken' } });
    expect((await answer(1)).result).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_NOT_FOUND', category: 'not_found', retryable: false } },
    });
    const { error } = await answer(2);
    expect(error).toMatchObject({ code: -32603, data: { correlationId: expect.any(String) } });
    expect(JSON.stringify(error)).not.toContain('the secret inside');
  });

  it('cancels the call with id 0, the first that the official client makes', async () => {
    let state = 'waiting';
    const { send, received } = await rawSession([
      tool('endless', async (_input, { signal }) => {
        state = 'running';
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        state = 'cancelled';
        return { value: 0 };
      }),
    ]);
    received.length = 0;
    await send({ id: 0, method: 'tools/call', params: { name: 'endless' } });
    await vi.waitFor(() => expect(state).toBe('running'));
    await send({ method: 'notifications/cancelled', params: { requestId: 0 } });
    await vi.waitFor(() => expect(state).toBe('cancelled'));
    expect(received).toEqual([]);
  });

  it('sends progress that increases, under the token of the call', async () => {
    const { clientEnd } = startSession([
      tool('steps', async (input, { progress }) => {
        progress('one', 1, 2);
        progress('two', 2, 2);
        return input;
      }),
    ]);
    const client = await connectClient(clientEnd);
    const seen: number[] = [];
    client.setNotificationHandler(
      ProgressNotificationSchema,
      ({ params }) => void seen.push(params.progress),
    );
    await client.request(
      { method: 'tools/call', params: { name: 'steps', _meta: { progressToken: 'mine' } } },
      z.looseObject({}),
    );
    expect(seen).toEqual([1, 2]);
  });

  it('tells of a changed tool list: everyone of a shared tool, only its own session of another', async () => {
    const { session, registry, clientEnd } = startSession([double]);
    const client = await connectClient(clientEnd);
    const changed = vi.fn();
    client.setNotificationHandler(ToolListChangedNotificationSchema, changed);
    registry.register(
      pluginTool(
        tool('late', async (input) => input),
        runtime,
      ),
    );
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
    registry.setForSession(scopeOf('another'), 'box', [
      pluginTool(
        tool('theirs', async (input) => input),
        runtime,
      ),
    ]);
    registry.setForSession(scopeOf(session.id), 'box', [
      pluginTool(
        tool('mine', async (input) => input),
        runtime,
      ),
    ]);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['double', 'late', 'mine']);
  });

  it('asks for roots once, and again after they changed', async () => {
    const { clientEnd } = startSession([
      tool('roots', async (_input, { roots }) => ({ value: (await roots()).length })),
    ]);
    const client = await connectClient(clientEnd, { roots: { listChanged: true } });
    const asked = vi.fn(() => ({ roots: [{ uri: 'file:///' }, { uri: 'file:///no/such/place' }] }));
    client.setRequestHandler(ListRootsRequestSchema, asked);
    const count = async () => (await client.callTool({ name: 'roots' })).structuredContent;
    expect(await count()).toEqual({ value: 2 });
    await count();
    expect(asked).toHaveBeenCalledTimes(1);
    await client.sendRootsListChanged();
    await count();
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it.each([
    [['/'], '.'],
    [['..', 'src'], '.'],
    [['src'], 'src'],
    [['src', '/no/such/place', ELSEWHERE], 'src'],
    [['/no/such/place'], '.'],
    [[], '.'],
  ])('lets a client by the network name no more than the project: %j', async (named, expected) => {
    const seen: unknown[] = [];
    const told = tool('roots', async (_input, { roots, ask }) => {
      seen.push(
        (await roots()).map(({ path }) => path),
        await ask('roots/list', {}),
      );
      return { value: 1 };
    });
    const projectRoot = { path: process.cwd(), name: 'project' };
    const { clientEnd } = startSession([told], undefined, { trust: 'network', projectRoot });
    const client = await connectClient(clientEnd, { roots: {} });
    const roots = named.map((path) => ({ uri: pathToFileURL(resolve(path)).href }));
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
    await client.callTool({ name: 'roots' });
    expect(seen).toEqual([
      [resolve(expected)],
      { roots: [expect.objectContaining({ uri: pathToFileURL(resolve(expected)).href })] },
    ]);
  });

  it.each([[[ELSEWHERE]], [[ELSEWHERE, '/no/such/place']], [['src/no-such-folder']]])(
    'reads nothing for a client by the network that names none of the project: %j',
    async (named) => {
      const told: unknown[] = [];
      const asks = tool('roots', async (_input, { roots, ask }) => {
        told.push(await ask('roots/list', {}));
        return { value: (await roots()).length };
      });
      const projectRoot = { path: process.cwd(), name: 'project' };
      const { clientEnd } = startSession([asks], undefined, { trust: 'network', projectRoot });
      const client = await connectClient(clientEnd, { roots: {} });
      const roots = named.map((path) => ({ uri: pathToFileURL(resolve(path)).href }));
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
      expect(await client.callTool({ name: 'roots' })).toMatchObject({
        isError: true,
        _meta: { 'nexus/error': { code: 'NEXUS_OUTSIDE_ROOTS' } },
        content: [{ text: expect.stringContaining(`Open the host in that folder or in one inside of it`) }],
      });
      expect(told).toEqual([{ roots: [] }]);
    },
  );

  it('forwards what tools log only after the client set a level, from that level up', async () => {
    const { clientEnd } = startSession([
      tool('chatty', async (input, { log }) => {
        log.info('quiet');
        log.warn('loud', { detail: 1 });
        return input;
      }),
    ]);
    const client = await connectClient(clientEnd);
    const messages: unknown[] = [];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void messages.push(params),
    );
    await client.callTool({ name: 'chatty' });
    expect(messages).toEqual([]);
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'chatty' });
    expect(messages).toEqual([{ level: 'warning', logger: 'nexus', data: { message: 'loud', detail: 1 } }]);
  });

  it('tells the process between it and a host before it goes on, whatever becomes of it then', async () => {
    passesOddities();
    const warns = tool('warns', async (input, { log }) => {
      log.warn('loud');
      return input;
    });
    const { clientEnd, watchSends } = startSession([warns], undefined, { kind: 'ipc' });
    const client = await connectClient(clientEnd);
    const told: unknown[] = [];
    watchSends(({ method }, options) => {
      if (method === 'nexus/told') told.push(options?.isUrgent);
    });
    await client.callTool({ name: 'warns' });
    expect(told).toEqual([true]);
    passesOddities();
  });

  it('serves resources, tells subscribers of updates, and names the nearest of an unknown URI', async () => {
    const { catalogue, clientEnd, resourceUpdated } = startSession();
    catalogue.resources.add(
      {
        uri: 'nexus://notes',
        name: 'notes',
        title: 'Notes',
        description: 'All notes.',
        mimeType: 'text/plain',
        read: async () => 'hello',
      },
      runtime,
    );
    const client = await connectClient(clientEnd);
    expect((await client.readResource({ uri: 'nexus://notes' })).contents).toEqual([
      { uri: 'nexus://notes', mimeType: 'text/plain', text: 'hello' },
    ]);
    await expect(client.readResource({ uri: 'nexus://note' })).rejects.toMatchObject({
      code: -32002,
      message: expect.stringContaining('nexus://notes'),
    });
    const updated = vi.fn();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, updated);
    resourceUpdated('nexus://notes');
    await client.subscribeResource({ uri: 'nexus://notes' });
    resourceUpdated('nexus://notes');
    await vi.waitFor(() => expect(updated).toHaveBeenCalledTimes(1));
    await client.unsubscribeResource({ uri: 'nexus://notes' });
    resourceUpdated('nexus://notes');
    await client.ping();
    expect(updated).toHaveBeenCalledTimes(1);
  });

  it('renders prompts, completes their arguments, and names a missing one', async () => {
    const { catalogue, clientEnd } = startSession([double]);
    catalogue.prompts.add(
      {
        name: 'greet',
        title: 'Greet',
        description: 'Say hello.',
        arguments: [
          {
            name: 'who',
            description: 'Whom to greet',
            required: true,
            complete: (typed) => Array.from({ length: 150 }, (_, index) => `${typed}${index}`),
          },
        ],
        render: ({ who }, { tools }) => `hello ${who}, ${tools.length} tools`,
      },
      runtime,
    );
    const client = await connectClient(clientEnd);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'hello Ada, 1 tools' } }]);
    await expect(client.getPrompt({ name: 'greet' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('who (Whom to greet)'),
    });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
    });
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(completion.values).toHaveLength(100);
  });

  it('answers what is in flight when the client closes its input, then ends', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { send, clientEnd, session } = await rawSession([
      tool('late', async (input) => {
        await finished;
        return input;
      }),
    ]);
    await send({ id: 7, method: 'tools/call', params: { name: 'late' } });
    await vi.waitFor(() => expect(session.inFlight()).toBe(1));
    let isClosed = false;
    void session.closed.then(() => {
      isClosed = true;
    });
    await clientEnd.close();
    await new Promise((settled) => setTimeout(settled, 20));
    expect(isClosed).toBe(false);
    finish();
    await session.closed;
    expect(session.inFlight()).toBe(0);
  });

  it('frees everything it held when it closes', async () => {
    const { session, registry, updates, clientEnd } = startSession([double]);
    const client = await connectClient(clientEnd);
    const scope = scopeOf(session.id);
    registry.setForSession(scope, 'box', [
      pluginTool(
        tool('mine', async (input) => input),
        runtime,
      ),
    ]);
    await client.close();
    await session.closed;
    expect(updates.size).toBe(0);
    expect(scope.hasEnded).toBe(true);
    expect(registry.get('mine', scope)).toBeUndefined();
  });
});
