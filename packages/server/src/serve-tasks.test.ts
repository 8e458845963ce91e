import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CallToolResultSchema,
  GetTaskResultSchema,
  ListTasksResultSchema,
  ProgressNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { defineTool, ToolError } from '@nexus/plugin-sdk';
import { createStore } from '@nexus/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { connectClient, startSession, stopJobs } from '../test/start-session.ts';
import { serveTasks } from './serve-tasks.ts';

const RELATED = 'io.modelcontextprotocol/related-task';

function tool(isLong: boolean) {
  return defineTool({
    name: isLong ? 'build' : 'look',
    title: 'A tool',
    description: 'Fails below 0, breaks at 0, never ends above 9.',
    input: z.object({ level: z.number().describe('How it goes.') }),
    output: z.object({ level: z.number() }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budget: 'pipeline',
    isLong,
    async call({ level }, { signal, progress }) {
      if (level < 0) throw new ToolError('NEXUS_UNAVAILABLE', 'no such level');
      if (level === 0) throw new Error('a defect');
      while (level > 9) {
        progress('still building');
        await new Promise((resolve) => setTimeout(resolve, 20));
        signal.throwIfAborted();
      }
      return { level };
    },
  });
}

/** What a client is asked that waits for the result of a task whose run waits for a person. */
async function askedOf(mayCall: boolean): Promise<unknown[]> {
  const answers: unknown[] = [];
  const job = { jobId: 'job_1', tool: 'build', status: 'input_required' };
  const jobs = {
    wait: async () => job,
    async outcome(_: string, { ask }: { ask?: (question: object, signal: AbortSignal) => unknown }) {
      answers.push(await ask?.({ name: 'publish' }, new AbortController().signal));
      return { content: [] };
    },
  };
  const tasks = serveTasks({
    mayCall,
    jobs: jobs as never, // what tasks/result asks of it
    caller: { session: { id: 's' } } as never,
    limit: async (result) => result,
    ask: () => ({ hasForms: true, answer: async () => ({ action: 'accept' }) }) as never,
  });
  await tasks['tasks/result']({ taskId: 'job_1' }, { end: new AbortController(), requestId: 1 } as never);
  return answers;
}

describe('who waits for the result of a task', () => {
  it('is asked what it waits for', async () => {
    expect(await askedOf(true)).toEqual([{ action: 'accept' }]);
  });

  it('is asked nothing, and answers nothing, by a token that may only look', async () => {
    expect(await askedOf(false)).toEqual([undefined]);
  });
});

describe('a session with tasks', () => {
  let dataDir: string;
  let store: ReturnType<typeof createStore>;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'nexus-tasks-'));
    store = createStore({ projectId: 'test', dataDir });
  });
  afterEach(async () => {
    await stopJobs();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function connected() {
    const started = startSession([tool(true), tool(false)], store);
    const client = await connectClient(started.clientEnd);
    const other = await connectClient(started.open().clientEnd);
    const create = async (level: unknown, also: object = {}) => {
      const params = { name: 'build', arguments: { level }, task: { ttl: 120_000 }, ...also };
      const { task } = await client.request(
        { method: 'tools/call', params },
        z.object({ task: GetTaskResultSchema }),
      );
      return task;
    };
    const get = (taskId: string, by = client) =>
      by.request({ method: 'tasks/get', params: { taskId } }, GetTaskResultSchema);
    const result = (taskId: string, by = client) =>
      by.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema);
    const cancel = (taskId: string) =>
      client.request({ method: 'tasks/cancel', params: { taskId } }, GetTaskResultSchema);
    const list = (by = client, params = {}) =>
      by.request({ method: 'tasks/list', params }, ListTasksResultSchema);
    return { client, other, create, get, result, cancel, list };
  }

  it('declares them, by list, cancel and tools/call', async () => {
    const { client } = await connected();
    expect(client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
  });

  it('answers a call for one at once, and its result as the call would have been answered', async () => {
    const { client, create, get, result } = await connected();
    const task = await create(3);
    expect(task).toMatchObject({ status: 'working', ttl: 120_000, pollInterval: expect.any(Number) });
    const answer = await result(task.taskId);
    const direct = await client.callTool({ name: 'build', arguments: { level: 3 } });
    expect(answer).toEqual({ ...direct, _meta: { ...direct._meta, [RELATED]: { taskId: task.taskId } } });
    expect(await get(task.taskId)).toMatchObject({ taskId: task.taskId, status: 'completed' });
  });

  it('is driven through by the official client', async () => {
    const { client } = await connected();
    await client.listTools();
    const types: string[] = [];
    const params = { name: 'build', arguments: { level: 3 } };
    for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, {
      task: { ttl: 60_000 },
    })) {
      types.push(message.type);
      if (message.type === 'result') expect(message.result.structuredContent).toEqual({ level: 3 });
    }
    expect(types[0]).toBe('taskCreated');
    expect(types.at(-1)).toBe('result');
  });

  it('takes the answer of dispatch async through the output check of the official client', async () => {
    const { client } = await connected();
    await client.listTools();
    const answer = await client.callTool({ name: 'build', arguments: { level: 3, dispatch: 'async' } });
    expect(answer.structuredContent).toEqual({ jobId: expect.any(String), jobStatus: 'working' });
  });

  it.each([
    ['a tool’s error', -1, 'NEXUS_UNAVAILABLE'],
    ['arguments that do not fit', 'high', 'NEXUS_INVALID_ARGUMENTS'],
  ])('fails a task for %s, with the result the call would have had', async (_, level, code) => {
    const { create, get, result } = await connected();
    const { taskId } = await create(level);
    expect(await result(taskId)).toMatchObject({ isError: true, _meta: { 'nexus/error': { code } } });
    expect(await get(taskId)).toMatchObject({ status: 'failed' });
  });

  it('answers the result of a task that broke with its JSON-RPC error', async () => {
    const { create, result } = await connected();
    const { taskId } = await create(0);
    await expect(result(taskId)).rejects.toMatchObject({ code: -32603 });
  });

  it('ends a task that works, once', async () => {
    const { create, get, result, cancel } = await connected();
    const { taskId } = await create(10);
    const waiting = result(taskId);
    expect(await cancel(taskId)).toMatchObject({ taskId, status: 'cancelled' });
    expect(await waiting).toMatchObject({ isError: true });
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    await expect(cancel(taskId)).rejects.toMatchObject({ code: -32602 });
  });

  it('lists a session’s own; another that knows the id may still read', async () => {
    const { other, create, get, result, list } = await connected();
    const { taskId } = await create(3);
    expect((await list()).tasks).toMatchObject([{ taskId }]);
    expect((await list(other)).tasks).toEqual([]);
    expect(await result(taskId, other)).toMatchObject({ structuredContent: { level: 3 } });
    expect(await get(taskId, other)).toMatchObject({ status: 'completed' });
  });

  it('lets a task outlive its session', async () => {
    const { client, other, create, result, get } = await connected();
    const { taskId } = await create(10);
    await client.close();
    expect(await get(taskId, other)).toMatchObject({ status: 'working' });
    await other.request({ method: 'tasks/cancel', params: { taskId } }, GetTaskResultSchema);
    expect(await result(taskId, other)).toMatchObject({ isError: true });
  });

  it('sends progress of a task under the token of its call, and says of which task', async () => {
    const { client, create, cancel } = await connected();
    const heard = vi.fn();
    client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => heard(params));
    const { taskId } = await create(10, { _meta: { progressToken: 'mine' } });
    await vi.waitFor(() =>
      expect(heard).toHaveBeenCalledWith(
        expect.objectContaining({ progressToken: 'mine', _meta: { [RELATED]: { taskId } } }),
      ),
    );
    await cancel(taskId);
  });

  it.each([
    [
      'a task of a tool that offers none',
      'tools/call',
      { name: 'look', arguments: { level: 1 }, task: {} },
      -32601,
    ],
    [
      'a ttl that is no number',
      'tools/call',
      { name: 'build', arguments: { level: 1 }, task: { ttl: 'x' } },
      -32602,
    ],
    ['arguments that are no object', 'tools/call', { name: 'build', arguments: [], task: {} }, -32602],
    ['a task that nobody knows', 'tasks/get', { taskId: 'job_0' }, -32602],
    ['the result of such a task', 'tasks/result', { taskId: 'job_0' }, -32602],
    ['the end of such a task', 'tasks/cancel', { taskId: 'job_0' }, -32602],
    ['a task without its id', 'tasks/get', {}, -32602],
    ['a cursor that no page gave', 'tasks/list', { cursor: '?' }, -32602],
  ])('refuses %s', async (_, method, params, code) => {
    const { client } = await connected();
    await expect(client.request({ method, params } as never, z.object({}))).rejects.toMatchObject({ code });
  });
});
