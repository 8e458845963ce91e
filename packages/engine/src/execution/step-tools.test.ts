import { AnsweredError, ProtocolError, toErrorResult } from '@nexus/core';
import { type RunContext, type ToolCaller, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

const [sqlite] = databases;

/** A tool that is broken off by a store that is away: how often, and whether it surely had written nothing. */
interface Breaks {
  readonly isRepeatable: boolean;
  readonly times: number;
  readonly wasWritten?: false;
}

async function outcomeOf({ isRepeatable, times, wasWritten }: Breaks) {
  await using data = sqlite?.place() ?? expect.unreachable();
  const keys: unknown[] = [];
  const tools: ToolCaller = {
    list: () => [],
    check: async () => [],
    // What of a summary the step asks for.
    find: (name) => ({ name, isRepeatable }) as ReturnType<ToolCaller['find']>,
    async call(_name, { _meta }): Promise<ToolCallResult> {
      keys.push((_meta as Record<string, unknown>)['nexus/idempotencyKey']);
      if (keys.length > times) return { content: [], structuredContent: { is: 'written' } };
      const error = new ToolError('NEXUS_STORE_UNAVAILABLE', 'The connection broke.', {
        ...(wasWritten === undefined ? {} : { detail: { wasWritten } }),
      });
      return toErrorResult(error) ?? expect.unreachable();
    },
  };
  const calls = async (_: null, run: RunContext) =>
    run.step('call', async (step) => {
      const { isError, content, _meta, structuredContent } = await step.tools.call('write', {});
      return isError ? { text: content[0]?.text, error: _meta?.['nexus/error'] } : structuredContent;
    });
  await using process = startEngine(data, [kindOf(calls)], { tools: () => tools });
  const { id } = await process.runs.start({ name: 'test.run', version: 1 }, null);
  return { ...(await ended(process.runs, id)), keys };
}

describe('a tool that the store breaks off under a step', () => {
  it('is called again under its key where it may be repeated', async () => {
    const { output, keys } = await outcomeOf({ isRepeatable: true, times: 3 });
    expect(output).toEqual({ is: 'written' });
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
  });

  it('is given up where it may be repeated and the store answers all but that', async () => {
    const { output, keys } = await outcomeOf({ isRepeatable: true, times: 1_000 });
    expect(output).toMatchObject({ error: { code: 'NEXUS_STORE_UNAVAILABLE' } });
    expect(keys).toHaveLength(10);
  });

  it('has an outcome that nobody knows where doing it twice could do harm, and is not called again', async () => {
    const { output, keys } = await outcomeOf({ isRepeatable: false, times: 1 });
    expect(output).toMatchObject({
      text: expect.stringContaining('nobody knows whether it has done its work'),
      error: { code: 'NEXUS_OUTCOME_UNKNOWN', retryable: false, detail: { tool: 'write' } },
    });
    expect(keys).toHaveLength(1);
  });

  it('says that the store is away where what it asked last was surely not written', async () => {
    const { output, keys } = await outcomeOf({ isRepeatable: false, times: 1, wasWritten: false });
    expect(output).toMatchObject({ error: { code: 'NEXUS_STORE_UNAVAILABLE', retryable: true } });
    expect(keys).toHaveLength(1);
  });
});

it('takes a JSON-RPC error of another server for the failure of its tool, and one of Nexus for no answer', async () => {
  const tools = (error: Error): ToolCaller => ({
    list: () => [],
    check: async () => [],
    find: () => undefined,
    call: () => Promise.reject(error),
  });
  const calls = async (_: null, run: RunContext) =>
    run.step('call', async (step) => {
      const { isError, content, _meta } = await step.tools.call('read', {});
      return { isError, text: content[0]?.text, error: _meta?.['nexus/error'] };
    });
  const of = async (error: Error) => {
    await using data = sqlite?.place() ?? expect.unreachable();
    await using process = startEngine(data, [kindOf(calls)], { tools: () => tools(error) });
    const { id } = await process.runs.start({ name: 'test.run', version: 1 }, null);
    return await ended(process.runs, id);
  };
  const said = { code: -32602, message: 'bad file name', data: { at: 'path' } };
  const text = 'dev/fs answered with the JSON-RPC error -32602: bad file name';
  expect(await of(new AnsweredError('dev/fs', said))).toMatchObject({
    status: 'completed',
    output: {
      isError: true,
      text,
      error: {
        code: 'NEXUS_TOOL_FAILED',
        message: text,
        detail: { server: 'dev/fs', rpcCode: -32602, data: { at: 'path' } },
      },
    },
  });
  expect(await of(new ProtocolError(-32602, 'no such tool'))).toMatchObject({ status: 'failed' });
});
