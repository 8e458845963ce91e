import {
  definePlugin,
  defineRunTool,
  defineTool,
  type ToolCallResult,
  ToolError,
  type Traces,
} from '@nexus/plugin-sdk';
import { type PluginUnderTest, startPlugin, testPlugin } from '@nexus/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
    if (to === -2) throw new Error('a fault of the tool');
    if (to < 0) throw new ToolError('NEXUS_UNAVAILABLE', 'no such numbers here');
    if (to === 0)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    attach(link);
    return { counted: to };
  },
});

let mayBuild = true;

const build = defineRunTool({
  name: 'build',
  version: 1,
  title: 'Build',
  description: 'Builds parts as a run, the last of which fails as long as it may not be built.',
  input: z.object({ parts: z.int().min(1).max(9).describe('How many.') }),
  output: z.object({ built: z.array(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'pipeline',
  text: ({ built }) => built.join(' and '),
  cap: () => ({ tokens: 500 }),
  async run({ parts }, run) {
    const built: string[] = [];
    for (let at = 1; at <= parts; at += 1) {
      built.push(
        await run.step(`part-${at}`, () => {
          done.push(at);
          if (at === parts && !mayBuild) throw new ToolError('NEXUS_UNAVAILABLE', 'no material');
          return `part ${at}`;
        }),
      );
    }
    return { built };
  },
});

/** Parts that were built, or tried. */
const done: number[] = [];

/** The plugin beside long tools, which it has none of itself. */
const withLongTool = definePlugin({ ...observability, tools: [...observability.tools, count, build] });

async function start(plugin: PluginUnderTest, to: number): Promise<string> {
  const { jobId } = await plugin.answer<{ jobId: string }>('count', { to, dispatch: 'async' });
  return jobId;
}

/** A trace of whatever run, with one span. */
const traces: Traces = {
  async *since() {},
  read: async () => ({
    unread: 0,
    spans: [
      {
        ...{ type: 'step', name: 'step part-1', kind: 'internal', traceId: 'a'.repeat(32) },
        ...{ spanId: 'b'.repeat(16), startMs: 1, endMs: 2, attributes: {} },
      },
    ],
  }),
};

testPlugin(withLongTool, {
  traces,
  goodCalls: {
    improvement_review: {},
    query_trace: async (plugin) => plugin.answer('build', { parts: 1 }).then(({ runId }) => ({ runId })),
    count: { to: 3 },
    get_job_result: async (plugin) => {
      const call = { jobId: await start(plugin, -1), waitMs: 20_000 };
      // The job itself is on record by then: what reads it changes nothing.
      await plugin.answer('get_job_result', call);
      return call;
    },
    list_jobs: {},
    cancel_job: async (plugin) => ({ jobId: await start(plugin, 0) }),
    build: { parts: 2 },
    verify_audit_chain: {},
    resume_run: async (plugin) => plugin.answer('build', { parts: 1 }).then(({ runId }) => ({ runId })),
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
    // Whose words they are is not on record.
    expect(done._meta).toMatchObject({ 'nexus/label': { trust: 'untrusted' } });
  });

  it('that failed say why', async () => {
    const answer = await plugin.answer('get_job_result', { jobId: await start(plugin, -1), waitMs: 20_000 });
    expect(answer).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_UNAVAILABLE', message: 'no such numbers here', retryable: true },
    });
    expect(answer).not.toHaveProperty('result');
    // The error says it.
    expect(answer).not.toHaveProperty('statusMessage');
  });

  it('that ended with a JSON-RPC error say its data, too', async () => {
    const answer = await plugin.answer('get_job_result', { jobId: await start(plugin, -2), waitMs: 20_000 });
    expect(answer).toMatchObject({
      status: 'failed',
      error: { code: '-32603', data: { correlationId: expect.any(String) }, retryable: false },
    });
  });

  it('that work are shown as that, and end when they are cancelled', async () => {
    const jobId = await start(plugin, 0);
    expect(await plugin.answer('get_job_result', { jobId, waitMs: 20 })).toMatchObject({ status: 'working' });
    const waiting = plugin.answer('get_job_result', { jobId, waitMs: 50_000 });
    expect(await plugin.answer('cancel_job', { jobId })).toMatchObject({ status: 'cancelled' });
    expect(await waiting).toMatchObject({ status: 'cancelled', error: { code: 'NEXUS_CANCELLED' } });
    expect(await plugin.answer('cancel_job', { jobId })).toMatchObject({ status: 'cancelled' });
  });

  it('of another session are cancelled only once they were looked at', async () => {
    for (const [look, args] of [
      ['list_jobs', { limit: 200 }],
      ['get_job_result', {}],
    ] as const) {
      const jobId = await start(plugin, 0);
      const other = { sessionId: `other by ${look}` };
      const refused = await plugin.call('cancel_job', { jobId }, other);
      expect(refused._meta?.['nexus/error']).toMatchObject({
        code: 'NEXUS_PREREQUISITE',
        message: expect.stringMatching(new RegExp(`get_job_result.*nexus runs cancel ${jobId}`)),
      });
      expect(await plugin.answer('get_job_result', { jobId })).toMatchObject({ status: 'working' });
      await plugin.answer(look, look === 'list_jobs' ? args : { jobId }, other);
      expect(await plugin.answer('cancel_job', { jobId }, other)).toMatchObject({ status: 'cancelled' });
    }
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

describe('a run', () => {
  let plugin: PluginUnderTest;
  beforeAll(async () => {
    plugin = await startPlugin(withLongTool);
  });
  afterAll(() => plugin.stop());
  beforeEach(() => {
    mayBuild = true;
    done.length = 0;
  });

  it('that failed goes on with what it had done, and is answered as its tool answers, text and structure', async () => {
    mayBuild = false;
    const failed = await plugin.call('build', { parts: 3 });
    expect(failed.content[0]?.text).toMatch(/no material[\s\S]*resume_run goes on from there/);
    const { runId } = Object(failed._meta?.['nexus/error']).detail as { runId: string };
    mayBuild = true;
    const resumed = await plugin.call('resume_run', { runId });
    expect(resumed.content[0]?.text).toMatch(/^part 1 and part 2 and part 3\n\n---\n/);
    expect(resumed.structuredContent).toMatchObject({ built: ['part 1', 'part 2', 'part 3'] });
    expect(done).toEqual([1, 2, 3, 3]);
    expect(await plugin.call('resume_run', { runId })).toMatchObject({
      structuredContent: resumed.structuredContent,
    });
    expect(done).toHaveLength(4);
  });

  it('is done again from a step as a new run, once under a key', async () => {
    const { runId } = await plugin.answer('build', { parts: 3 });
    done.length = 0;
    const again = { runId, from: 'part-2', idempotencyKey: 'k' };
    const first = await plugin.answer('resume_run', again);
    expect(first).toMatchObject({ built: ['part 1', 'part 2', 'part 3'] });
    expect(first.runId).not.toBe(runId);
    expect(await plugin.answer('resume_run', again)).toEqual(first);
    expect(done).toEqual([2, 3]);
  });

  it('may spend what whoever resumes it says, and never more than its tool lets it', async () => {
    mayBuild = false;
    for (const [maxTokens, tokens] of [
      [undefined, 500],
      [100, 100],
      [9_000, 500],
    ]) {
      const { runId } = await plugin.call('build', { parts: 1 }).then(detailOf);
      const next = await plugin.call('resume_run', { runId, ...(maxTokens && { maxTokens }) }).then(detailOf);
      expect((await plugin.host.runs.get(next.runId)).budget.cap).toEqual({ tokens });
    }
  });

  it('of another user is not found, and one that no tool answers for is NEXUS_CONFLICT', async () => {
    const { runId } = await plugin.answer('build', { parts: 1 });
    const theirs = await plugin.call('resume_run', { runId }, { user: 'bob' });
    expect(theirs._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    const jobId = await start(plugin, 3);
    const job = await plugin.call('resume_run', { runId: jobId });
    expect(job._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_CONFLICT' });
    expect(job.content[0]?.text).toContain(`nexus://runs/${jobId}`);
  });
});

function detailOf({ _meta }: ToolCallResult): { readonly runId: string } {
  return Object(_meta?.['nexus/error']).detail;
}
