import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtocolError, type RegisteredTool } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { createStore } from '@nexus/store';
import { scopeOf } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import { passedTool } from '../test/passed-tool.ts';
import { rawSession } from '../test/raw-session.ts';
import { passesOddities, startSession, stopJobs } from '../test/start-session.ts';

const call = { name: 'box__server__tool', arguments: { a: 1 } };

async function session(tool: RegisteredTool, capabilities = {}, store?: ReturnType<typeof createStore>) {
  const started = startSession([], store);
  started.registry.setForSession(scopeOf(started.session.id), 'box', [tool]);
  return rawSession(started, capabilities);
}

/** A session in which the tool's server asks the client this, and the tool answers what came back. */
function asking(method: string, params: object, capabilities: object) {
  const tool = passedTool(async (_value, { ask }) => {
    try {
      return { content: [], structuredContent: { ...(await ask(method, { ...params })) } };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const { code, message, data } = error;
      return { content: [], structuredContent: { code, message, data } };
    }
  });
  return session(tool, capabilities);
}

describe('a tool of another server', () => {
  it('is listed and answers byte for byte as it was served', async () => {
    const result = {
      _meta: { 'acme/z': [1] },
      later: null,
      content: [
        { odd: 1, text: 'hi', type: 'text', _meta: {} },
        { type: 'hologram', data: {} },
      ],
      structuredContent: { b: 1, a: { $ref: 'x' } },
    };
    const tool = passedTool(async () => result as unknown as ToolCallResult);
    const { ask } = await session(tool);
    expect(JSON.stringify((await ask('tools/list')).result?.tools)).toBe(JSON.stringify([tool.listing]));
    expect(JSON.stringify((await ask('tools/call', call)).result)).toBe(JSON.stringify(result));
    passesOddities();
  });

  it.each([{ isError: true }, { isError: true, content: [null, 5, { type: 'text', text: 5 }] }])(
    'has its error passed on as it is, however odd: %j',
    async (result) => {
      const { ask } = await session(passedTool(async () => result as unknown as ToolCallResult));
      expect((await ask('tools/call', call)).result).toEqual(result);
      passesOddities();
    },
  );

  it('gets the `_meta` of its call, and has its error passed on', async () => {
    const { ask } = await session(
      passedTool(async (_value, { meta }) => {
        throw new ProtocolError(-32055, 'no', { meta });
      }),
    );
    const _meta = { 'acme/a': [1], progressToken: 7 };
    expect((await ask('tools/call', { ...call, _meta })).error).toEqual({
      code: -32055,
      message: 'no',
      data: { meta: _meta },
    });
  });

  it('has its progress passed on, with its own numbers, every report of it', async () => {
    const { ask, heard, received } = await session(
      passedTool(async (_value, { progress }) => {
        progress(undefined, 0, 1);
        progress('half', 0.5);
        for (let step = 0; step < 50; step += 1) progress(undefined, 1 + step / 100, 2);
        return { content: [] };
      }),
    );
    await ask('tools/call', { ...call, _meta: { progressToken: 't' } });
    const reports = heard('notifications/progress');
    expect(reports.slice(0, 3)).toEqual([
      { progressToken: 't', progress: 0, total: 1 },
      { progressToken: 't', progress: 0.5, message: 'half' },
      { progressToken: 't', progress: 1, total: 2 },
    ]);
    expect(reports).toHaveLength(52);
    expect(received.at(-1)).toHaveProperty('result');
  });
});

describe('a request that another server has for its client', () => {
  const message = { role: 'user', content: { type: 'text', text: 'why?', odd: 1 } };
  const sampling = { odd: [1], messages: [message], maxTokens: 5, _meta: { 'acme/x': 1 } };
  const form = { odd: 1, message: 'Who?', requestedSchema: { type: 'object', properties: {}, $odd: 1 } };
  const page = { mode: 'url', message: 'Sign in', url: 'https://example.com', elicitationId: 'e1' };

  it.each([
    ['sampling/createMessage', sampling, { sampling: {} }],
    ['sampling/createMessage', { ...sampling, tools: [{ name: 't', odd: 1 }] }, { sampling: { tools: {} } }],
    ['elicitation/create', form, { elicitation: {} }],
    ['elicitation/create', page, { elicitation: { url: {} } }],
    ['roots/list', { _meta: { a: 1 } }, { roots: {} }],
  ])('%s reaches it whole, and its answer comes back whole', async (method, params, capabilities) => {
    const { ask, answers, received } = await asking(method, params, capabilities);
    const result = { zeta: [null], action: 'accept', content: { a: 5 }, _meta: { 'acme/y': {} } };
    answers[method] = () => ({ result });
    const answered = await ask('tools/call', call);
    const request = received.find((each) => each.method === method);
    expect(JSON.stringify(request?.params)).toBe(JSON.stringify(params));
    expect(JSON.stringify(answered.result?.structuredContent)).toBe(JSON.stringify(result));
    passesOddities();
  });

  it('belongs to the call that it comes from', async () => {
    const sent: unknown[] = [];
    const started = startSession();
    const tool = passedTool(async (_value, { ask }) => {
      await ask('roots/list', {});
      return { content: [] };
    });
    started.registry.setForSession(scopeOf(started.session.id), 'box', [tool]);
    const { send, answer, answers } = await rawSession(started, { roots: {} });
    started.watchSends((message, options) => {
      if (message.method === 'roots/list') sent.push(options?.relatedRequestId);
    });
    answers['roots/list'] = () => ({ result: { roots: [] } });
    await send({ id: 0, method: 'tools/call', params: call });
    await answer(0);
    expect(sent).toEqual([0]);
  });

  it('comes back with the client’s error as it is', async () => {
    const { ask, answers } = await asking('sampling/createMessage', sampling, { sampling: {} });
    answers['sampling/createMessage'] = () => ({
      error: { code: -1, message: 'User said no', data: { a: 1 } },
    });
    expect((await ask('tools/call', call)).result?.structuredContent).toEqual({
      code: -1,
      message: 'User said no',
      data: { a: 1 },
    });
  });

  it.each([
    ['sampling/createMessage', sampling, {}, 'sampling'],
    ['sampling/createMessage', { ...sampling, tools: [] }, { sampling: {} }, 'sampling with tools'],
    ['sampling/createMessage', { ...sampling, toolChoice: {} }, { sampling: {} }, 'sampling with tools'],
    ['elicitation/create', form, {}, 'forms for its user'],
    ['elicitation/create', form, { elicitation: { url: {} } }, 'forms for its user'],
    ['elicitation/create', page, { elicitation: {} }, 'pages for its user'],
    ['roots/list', {}, {}, 'roots'],
  ])('%s is not sent to a client that lacks what it takes', async (method, params, capabilities, lack) => {
    const { ask, heard } = await asking(method, params, capabilities);
    const { result } = await ask('tools/call', call);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`does not offer ${lack}.`) }],
      _meta: { 'nexus/error': { code: 'NEXUS_UNAVAILABLE' } },
    });
    expect(heard(method)).toEqual([]);
  });

  it('is cancelled with its call', async () => {
    const { send, heard, received } = await asking('roots/list', {}, { roots: {} });
    await send({ id: 5, method: 'tools/call', params: call });
    await expect.poll(() => heard('roots/list')).toHaveLength(1);
    await send({ method: 'notifications/cancelled', params: { requestId: 5 } });
    const asked = received.find(({ method }) => method === 'roots/list')?.id;
    await expect.poll(() => heard('notifications/cancelled')).toMatchObject([{ requestId: asked }]);
  });
});

describe('a task of another server’s tool', () => {
  const tool = (taskSupport: RegisteredTool['taskSupport']) =>
    passedTool(async (value) => ({ content: [], structuredContent: { value } }), { taskSupport });

  it.each(['optional', 'required'] as const)('is made where its task support is %s', async (support) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nexus-tasks-'));
    const store = createStore({ projectId: 'test', dataDir });
    try {
      const { ask } = await session(tool(support), {}, store);
      const { task } = (await ask('tools/call', { ...call, task: {} })).result as {
        task: { taskId: string };
      };
      const { result } = await ask('tasks/result', { taskId: task.taskId });
      expect(result).toMatchObject({ structuredContent: { value: { a: 1 } } });
    } finally {
      await stopJobs();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('is refused where there is none, and its call where there must be one', async () => {
    const forbidding = await session(tool(undefined));
    expect((await forbidding.ask('tools/call', { ...call, task: {} })).error?.code).toBe(-32601);
    const requiring = await session(tool('required'));
    expect((await requiring.ask('tools/call', call)).error?.code).toBe(-32601);
  });
});
