import { definePlugin, defineTool, ToolError } from '@nexus/plugin-sdk';
import { type PluginUnderTest, startPlugin, testPlugin } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import observability from './index.ts';

const link = { type: 'resource_link', uri: 'nexus://numbers', name: 'numbers' } as const;

const count = defineTool({
  name: 'count',
  title: 'Count',
  description: 'Counts to a number, fails below 0, and never ends at 0.',
  input: z.object({ to: z.number().describe('Where to end.') }),
  output: z.object({ counted: z.number() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'pipeline',
  isLong: true,
  async call({ to }, { signal, attach }) {
    if (to < 0) throw new ToolError('NEXUS_UNAVAILABLE', 'no such numbers here');
    if (to === 0)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    attach(link);
    return { counted: to };
  },
});

/** The plugin beside a long tool, which it has none of itself. */
const withLongTool = definePlugin({ ...observability, tools: [...observability.tools, count] });

async function start(plugin: PluginUnderTest, to: number): Promise<string> {
  const { jobId } = await plugin.answer<{ jobId: string }>('count', { to, dispatch: 'async' });
  return jobId;
}

testPlugin(withLongTool, {
  goodCalls: {
    count: { to: 3 },
    get_job_result: async (plugin) => ({ jobId: await start(plugin, -1), waitMs: 20_000 }),
    list_jobs: {},
    cancel_job: async (plugin) => ({ jobId: await start(plugin, 0) }),
  },
});

describe('jobs', () => {
  let plugin: PluginUnderTest;
  beforeAll(async () => {
    plugin = await startPlugin(withLongTool);
  });
  afterAll(() => plugin.stop());

  it('are answered whole once they have ended: result and what was attached', async () => {
    const jobId = await start(plugin, 3);
    const done = await plugin.call('get_job_result', { jobId, waitMs: 20_000 });
    expect(done.structuredContent).toMatchObject({
      jobId,
      tool: 'count',
      status: 'completed',
      result: { counted: 3 },
    });
    expect(done.content.slice(1)).toEqual([link]);
  });

  it('that failed say why', async () => {
    const answer = await plugin.answer('get_job_result', { jobId: await start(plugin, -1), waitMs: 20_000 });
    expect(answer).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_UNAVAILABLE', message: 'no such numbers here', retryable: true },
    });
    expect(answer).not.toHaveProperty('result');
  });

  it('that work are shown as that, and end when they are cancelled', async () => {
    const jobId = await start(plugin, 0);
    expect(await plugin.answer('get_job_result', { jobId, waitMs: 20 })).toMatchObject({ status: 'working' });
    const waiting = plugin.answer('get_job_result', { jobId, waitMs: 50_000 });
    expect(await plugin.answer('cancel_job', { jobId })).toMatchObject({ status: 'cancelled' });
    expect(await waiting).toMatchObject({ status: 'cancelled', error: { code: 'NEXUS_CANCELLED' } });
    expect(await plugin.answer('cancel_job', { jobId })).toMatchObject({ status: 'cancelled' });
  });

  it('are listed by status and tool, newest first, with how many there are in all', async () => {
    const newest = await start(plugin, 5);
    await plugin.answer('get_job_result', { jobId: newest, waitMs: 20_000 });
    const completed = await plugin.answer<{ jobs: { jobId: string }[]; total: number }>('list_jobs', {
      status: 'completed',
      tool: 'count',
      limit: 1,
    });
    expect(completed.jobs.map(({ jobId }) => jobId)).toEqual([newest]);
    expect(completed.total).toBe(2);
    expect(await plugin.answer('list_jobs', { tool: 'nothing' })).toEqual({ jobs: [], total: 0 });
  });

  it('that nobody knows are NEXUS_NOT_FOUND', async () => {
    for (const tool of ['get_job_result', 'cancel_job']) {
      const { _meta } = await plugin.call(tool, { jobId: 'job_0' });
      expect(_meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    }
  });
});
