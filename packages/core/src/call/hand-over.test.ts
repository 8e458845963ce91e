import { type CallContext, type Log, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { memoryJobs } from '../../test/memory-jobs.ts';
import { scopeOf } from '../../test/scope-of.ts';
import { ERROR_META_KEY } from '../errors/envelope.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { createRegistry } from '../registry/registry.ts';
import { createPatience, type Waits } from '../timeouts/patience.ts';
import type { CallRequest } from './call-request.ts';
import { createDispatcher } from './dispatcher.ts';
import { LEAVES_RUN_META } from './lifetime.ts';

const quiet = () => {};
const RISKY = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

/** A tool that ends when the test says so, or its call's signal does. */
function slow(also: Partial<Parameters<typeof fixtureTool>[0]> = {}) {
  let end: (answer: object) => void = quiet;
  let context: CallContext | undefined;
  const tool = fixtureTool({
    name: 'work',
    budget: 'panel',
    annotations: RISKY,
    input: z.object({ what: z.string().max(9).default('x') }),
    output: z.object({ done: z.boolean() }),
    call: (_input, given) => {
      context = given;
      return new Promise((resolve) => {
        end = resolve;
      });
    },
    ...also,
  });
  return { tool, end: () => end({ done: true }), context: () => context as CallContext };
}

function setUp(tool: RegisteredTool, client = 'Cline', others: readonly RegisteredTool[] = []) {
  const jobs = memoryJobs();
  const warned = vi.fn();
  const log: Log = { debug: quiet, info: quiet, warn: warned, error: quiet };
  const learnt = new Map<string, Waits>();
  const patience = createPatience({
    waits: (name) => learnt.get(name),
    learnWaits: (name, waits) => void learnt.set(name, waits),
  });
  const registry = createRegistry();
  for (const each of [tool, ...others]) registry.register(each);
  const dispatcher = createDispatcher({
    redact: (value) => value,
    registry,
    jobs,
    budgets: { overridesMs: {}, multiplier: 1 },
    limits: { callsPerSecond: 1, burst: 100, callsInFlight: 100, argumentCharsInFlight: 10_000 },
    permissions: { deny: [] },
    shutdown: new AbortController().signal,
    log,
    record: quiet,
    recordMismatch: quiet,
    patience,
  });
  const caller = {
    session: scopeOf('session'),
    client: { name: client, version: '1' },
    log,
    roots: async () => [],
  };
  const cancel = new AbortController();
  const call = (args: object = {}, also: Partial<CallRequest> = {}) =>
    dispatcher.call(caller, {
      params: { name: 'work', arguments: args },
      signal: cancel.signal,
      ...also,
    });
  return { call, jobs, cancel, learnt, warned };
}

const soon = () => vi.advanceTimersByTimeAsync(100);
const untilCut = () => vi.advanceTimersByTimeAsync(54_001);
const outcomeOf = (jobs: ReturnType<typeof memoryJobs>, jobId = 'job_1') =>
  jobs.outcome(jobId, { signal: new AbortController().signal });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe.each([
  ['a long tool', { isLong: true }],
  ['any other tool', { isLong: false }],
])('a call of %s whose client gives up at 60 s', (_, { isLong }) => {
  it('is answered as ever where it ends before', async () => {
    const { tool, end } = slow({ isLong });
    const { call } = setUp(tool);
    const answer = call();
    await vi.advanceTimersByTimeAsync(53_000);
    end();
    expect((await answer).structuredContent).toEqual({ done: true });
  });

  it('is answered before that with its job, which has the outcome', async () => {
    const { tool, end } = slow({ isLong });
    const { call, jobs } = setUp(tool);
    const answer = call({ what: 'y' });
    await untilCut();
    const { content } = await answer;
    expect(content[0]?.text).toMatch(
      /work goes on as a job.*no longer than 60 s.*Wait 45000 ms at a time for job_1/,
    );
    expect(content[0]?.text).toContain('job_1');
    expect(content[0]?.text).toMatch(/Wait 45000 ms/);
    end();
    expect((await outcomeOf(jobs)).structuredContent).toEqual({ done: true });
    expect(jobs.started).toHaveLength(1);
    expect(jobs.started[0]).toMatchObject({ tool: 'work', arguments: { what: 'y' }, mayRunTwice: false });
    // A long one is a job before it begins.
    expect(jobs.started[0]?.isUnderWay ?? false).toBe(!isLong);
  });

  it('is for its client until then, and for whoever asks for its job after that', async () => {
    const { tool, context } = slow({ isLong });
    const { call, jobs } = setUp(tool);
    const waited = vi.spyOn(jobs, 'outcome');
    const answer = call();
    await soon();
    const isForClient = () => (isLong ? waited.mock.calls[0]?.[1].isForClient?.() : context().isForClient);
    expect(isForClient()).toBe(true);
    // A job's own call never is.
    expect(context().isForClient).toBe(!isLong);
    await untilCut();
    await answer;
    expect(isForClient()).toBe(false);
  });

  it('has done what is to follow its answer, and none of it once its job has that', async () => {
    const { tool, context } = slow({ isLong });
    const { call, jobs } = setUp(tool);
    const waited = vi.spyOn(jobs, 'outcome');
    const works: (() => Promise<void>)[] = [];
    const onceAnswered = () => Promise.all(works.map((each) => each()));
    const answer = call({}, { afterAnswer: (work) => void works.push(work) });
    await soon();
    const afterAnswer = isLong ? waited.mock.calls[0]?.[1].afterAnswer : context().afterAnswer;
    const work = vi.fn(async () => {});
    afterAnswer?.(work);
    await onceAnswered();
    expect(work).toHaveBeenCalledOnce();
    await untilCut();
    await answer;
    await onceAnswered();
    expect(work).toHaveBeenCalledOnce();
    // Nobody waits for the job’s own call.
    expect(context().afterAnswer).toBeUndefined();
  });

  it('is ended by its job’s cancel then, and no more by its client', async () => {
    const { tool, context } = slow({ isLong });
    const { call, jobs, cancel } = setUp(tool);
    const answer = call();
    await untilCut();
    await answer;
    cancel.abort(new Error('Request timed out'));
    await soon();
    expect(context().signal.aborted).toBe(false);
    await jobs.cancel('job_1');
    await soon();
    expect(context().signal.aborted).toBe(true);
  });

  it.each([true, false])('ends with its client until then (gone: %s)', async (gone) => {
    const { tool, context } = slow({ isLong });
    const { call, cancel } = setUp(tool);
    const answer = call({}, { hasGone: () => gone });
    await soon();
    cancel.abort(new Error('enough'));
    expect(code(await answer)).toBe('NEXUS_CANCELLED');
    await soon();
    expect(context().signal.aborted).toBe(true);
  });
});

const code = (result: ToolCallResult) => (result._meta?.[ERROR_META_KEY] as { code: string })?.code;

describe('where a call is to go on as a job', () => {
  it('a result that the tool’s output schema has no room for is an error that names the job', async () => {
    const { tool } = slow();
    const { call } = setUp(tool);
    const answer = call();
    await untilCut();
    const result = await answer;
    expect(result._meta?.[ERROR_META_KEY]).toMatchObject({
      code: 'NEXUS_STILL_RUNNING',
      detail: { jobId: 'job_1' },
    });
  });

  it.each([
    ['long', true],
    ['without an output schema', false],
  ])('the answer of a tool that is %s is no error', async (_, isLong) => {
    const { tool } = slow({ isLong });
    const { outputSchema: _schema, ...listing } = tool.listing;
    const { call } = setUp(isLong ? tool : { ...tool, listing });
    const answer = call();
    await untilCut();
    const result = await answer;
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({ jobId: 'job_1', jobStatus: 'working' });
  });

  it('it is waited for all the same where no job can be started', async () => {
    const { tool, end } = slow();
    const { call, jobs, warned } = setUp(tool);
    jobs.start = () => Promise.reject(new ToolError('NEXUS_STORE_UNAVAILABLE', 'away'));
    const answer = call();
    await vi.advanceTimersByTimeAsync(70_000);
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('could not go on'), expect.anything());
    end();
    expect((await answer).structuredContent).toEqual({ done: true });
  });

  it('a client that goes leaves it running then', async () => {
    const { tool, context } = slow();
    const { call, cancel } = setUp(tool);
    const answer = call({}, { hasGone: () => true });
    await untilCut();
    await answer;
    cancel.abort(new Error('gone'));
    await soon();
    expect(context().signal.aborted).toBe(false);
  });
});

describe('a call that goes on as a job', () => {
  it('takes what it called by a key with it when the job is cancelled, though its client has gone', async () => {
    const inner = slow({ name: 'inner', isLong: true });
    const { tool } = slow({
      call: async (_input, { tools }) => {
        await tools.call('inner', { arguments: { idempotencyKey: 'k' } });
        return { done: true };
      },
    });
    const { call, jobs, cancel } = setUp(tool, 'Cline', [inner.tool]);
    const answer = call({}, { hasGone: () => cancel.signal.aborted });
    await untilCut();
    await answer;
    cancel.abort(new Error('gone'));
    await soon();
    expect(inner.context().signal.aborted).toBe(false);
    await jobs.cancel('job_2');
    await soon();
    expect(inner.context().signal.aborted).toBe(true);
  });

  it('tells nothing of its client’s patience when the job is cancelled', async () => {
    const { tool } = slow();
    const { call, jobs, learnt } = setUp(tool);
    await Promise.all([call(), call(), untilCut()]);
    await Promise.all(['job_1', 'job_2'].map((jobId) => jobs.cancel(jobId)));
    await soon();
    expect(learnt.size).toBe(0);
  });

  it('goes on without its client before that, too, where that leaves its run', async () => {
    const { tool, context } = slow({ isLong: true });
    const { call, cancel } = setUp(tool);
    const params = { name: 'work', arguments: {}, _meta: { [LEAVES_RUN_META]: true } };
    const answer = call({}, { params, hasGone: () => true });
    await soon();
    cancel.abort(new Error('gone'));
    await answer;
    await soon();
    expect(context().signal.aborted).toBe(false);
  });
});

describe('a call waits for its end', () => {
  it.each([
    ['whose client hears its progress', 'Cline', {}, { progress: quiet }],
    ['of a client that is not known to give up', 'patient', {}, {}],
    ['of a tool that is quick by its class', 'Cline', { budget: 'interactive' as const }, {}],
  ])('%s', async (_, client, also, request) => {
    const { tool, end } = slow(also);
    const { call, jobs } = setUp(tool, client);
    const answer = call({}, request);
    await vi.advanceTimersByTimeAsync(59_000);
    end();
    expect((await answer).structuredContent).toEqual({ done: true });
    expect(jobs.started).toEqual([]);
  });
});

it('what a client waits is learnt from a call that it gave up, and the next is answered before', async () => {
  const { tool } = slow();
  const { call, cancel, learnt } = setUp(tool, 'new');
  const first = call();
  await vi.advanceTimersByTimeAsync(30_000);
  cancel.abort(new Error('Request timed out'));
  await first;
  expect(learnt.get('new')).toEqual({ quietMs: 30_000 });
  const second = call({}, { signal: new AbortController().signal });
  await vi.advanceTimersByTimeAsync(27_001);
  expect(code(await second)).toBe('NEXUS_STILL_RUNNING');
});

it('nothing is learnt from a client that went', async () => {
  const { tool } = slow();
  const { call, cancel, learnt } = setUp(tool, 'new');
  const first = call({}, { hasGone: () => true });
  await vi.advanceTimersByTimeAsync(30_000);
  cancel.abort(new Error('Request timed out'));
  await first;
  expect(learnt.size).toBe(0);
});
