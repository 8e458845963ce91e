import { type CallContext, type Log, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fixtureTool, READ_ONLY, unmade } from '../../test/fixture-tools.ts';
import { memoryJobs } from '../../test/memory-jobs.ts';
import { scopeOf } from '../../test/scope-of.ts';
import { ERROR_META_KEY, toErrorResult } from '../errors/envelope.ts';
import type { Permissions } from '../policy/permissions.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { createRegistry } from '../registry/registry.ts';
import type { ProgressReport } from '../timeouts/progress.ts';
import type { CallRequest } from './call-request.ts';
import type { ClientRequests } from './client-requests.ts';
import { createDispatcher } from './dispatcher.ts';
import type { CallRecord } from './record.ts';

const quiet = () => {};
const silent: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const RISKY = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

const roomy = { callsPerSecond: 1, burst: 100, callsInFlight: 100, argumentCharsInFlight: 10_000 };

function setUp(tools: readonly RegisteredTool[], limits = roomy, permissions: Permissions = { deny: [] }) {
  const jobs = memoryJobs();
  const records: CallRecord[] = [];
  const mismatches: unknown[] = [];
  const stop = new AbortController();
  const registry = createRegistry();
  for (const tool of tools) registry.register(tool);
  const dispatcher = createDispatcher({
    redact: (value) => value,
    registry,
    jobs,
    budgets: { overridesMs: {}, multiplier: 1 },
    limits,
    permissions,
    shutdown: stop.signal,
    log: silent,
    record: (record) => records.push(record),
    recordMismatch: (event) => mismatches.push(event),
  });
  const caller = {
    session: scopeOf('session'),
    user: 'ada',
    client: { name: 'tester', version: '1' },
    log: silent,
    roots: async () => [],
  };
  const request = (args: object, also: Partial<CallRequest> = {}): CallRequest => ({
    params: { name: 'build', arguments: args },
    signal: new AbortController().signal,
    ...also,
  });
  return {
    dispatcher,
    caller,
    registry,
    stop,
    jobs,
    records,
    mismatches,
    call: (args: object, also?: Partial<CallRequest>) => dispatcher.call(caller, request(args, also)),
    again: (args: object) => dispatcher.callAgain(caller, request(args)),
    task: (args: object, ttlMs?: number) => dispatcher.startTask(caller, request(args), ttlMs),
    callOf: (name: string, also: Partial<CallRequest>) =>
      dispatcher.call(caller, { ...request({}), params: { name }, ...also }),
    startTaskOf: (name: string, params: object = {}) =>
      dispatcher.startTask(caller, { params: { name, ...params }, signal: new AbortController().signal }),
  };
}

const seen = vi.fn((input: object, _context: CallContext) => input);

const build = (call: (input: object, context: CallContext) => unknown = seen) =>
  fixtureTool({
    name: 'build',
    isLong: true,
    budget: 'pipeline',
    annotations: RISKY,
    input: z.object({ what: z.string().max(9), level: z.number().default(1) }),
    call: async (input, context) => call(input as object, context),
  });

/** A long tool that calls another with a key; that one never answers, and shows the signal it got. */
function keyedWithin() {
  let signal: AbortSignal | undefined;
  const inner = fixtureTool({
    ...{ name: 'inner', isLong: true, budget: 'pipeline', annotations: RISKY },
    call: (_input, context) => {
      ({ signal } = context);
      return new Promise<never>(() => {});
    },
  });
  const outer = build(async (_input, { tools }) => {
    await tools.call('inner', { arguments: { idempotencyKey: 'k' } });
    return {};
  });
  return { ...setUp([inner, outer]), inner: () => signal };
}

/** A client that says yes to each question. */
const ASKED: ClientRequests = {
  sampling: 'none',
  sample: () => Promise.reject(new Error('not here')),
  elicit: async () => ({ action: 'accept' }),
  answer: async () => ({ action: 'accept' }),
  pass: () => Promise.reject(new Error('not here')),
};

const code = (result: ToolCallResult) => (result._meta?.[ERROR_META_KEY] as { code: string })?.code;

describe('a call of a long tool', () => {
  it('is no job unless it asks, and its tool sees only what is its own', async () => {
    const { call, jobs, records, mismatches } = setUp([build()]);
    const { structuredContent } = await call({ what: 'x', dispatch: 'sync' });
    expect(structuredContent).toEqual({ what: 'x', level: 1 });
    expect(jobs.started).toEqual([]);
    expect(records).toHaveLength(1);
    expect(mismatches).toHaveLength(1);
  });

  it('answers at once with dispatch async, and is recorded once, when it has run', async () => {
    let end = (_answer: object) => {};
    const held = new Promise<object>((resolve) => {
      end = resolve;
    });
    const { call, jobs, records, mismatches } = setUp([build(() => held)]);
    const answer = await call({ what: 'x', dispatch: 'async' });
    const structuredContent = { jobId: 'job_1', jobStatus: 'working' };
    expect(answer).toMatchObject({
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    });
    expect(jobs.started).toMatchObject([
      { tool: 'build', sessionId: 'session', user: 'ada', mayRunTwice: false },
    ]);
    expect(jobs.started[0]?.arguments).toEqual({ what: 'x' });
    expect(records).toEqual([]);
    end({ level: 2 });
    const outcome = await jobs.outcome('job_1', { signal: new AbortController().signal });
    expect(outcome.structuredContent).toEqual({ level: 2 });
    expect(records).toMatchObject([{ toolName: 'build', error: undefined }]);
    expect(mismatches).toEqual([]);
  });

  it('has succeeded when its job has, and not when that was started', async () => {
    let end = quiet;
    const held = new Promise<object>((resolve) => {
      end = () => resolve({});
    });
    const after = fixtureTool({ name: 'after', requires: ['build'] });
    const { call, callOf, jobs } = setUp([build(() => held), after]);
    await call({ what: 'x', dispatch: 'async' });
    expect(code(await callOf('after', {}))).toBe('NEXUS_PREREQUISITE');
    end();
    await jobs.outcome('job_1', { signal: new AbortController().signal });
    expect((await callOf('after', {})).isError).toBeUndefined();
  });

  it('may run again after its server where it takes up its own work, whatever its hints', async () => {
    const resumable = { ...build(), isResumable: true };
    const { call, task, jobs } = setUp([resumable]);
    await call({ what: 'x', dispatch: 'async' });
    await call({ what: 'x', idempotencyKey: 'k' });
    await task({ what: 'x' });
    expect(jobs.started.map(({ mayRunTwice }) => mayRunTwice)).toEqual([true, true, true]);
  });

  it('has with it what its tool is, and what of the project its caller may read', async () => {
    const foreign = { ...build(), origin: 'box__it__build', isResumable: true };
    const { dispatcher, caller, registry, jobs } = setUp([]);
    registry.setForSession(caller.session, 'box', [foreign]);
    const narrower = { ...caller, narrowed: async () => ['src'] };
    await dispatcher.call(narrower, {
      params: { name: 'build', arguments: { what: 'x', dispatch: 'async' } },
      signal: new AbortController().signal,
    });
    expect(jobs.started).toMatchObject([{ origin: 'box__it__build', roots: ['src'], mayRunTwice: true }]);
  });

  it('tells its tool the job’s key, and a tool that it calls none', async () => {
    const inner = fixtureTool({
      name: 'inner',
      output: z.object({ key: z.string().optional() }),
      call: async (_input, { idempotencyKey: key }) => (key === undefined ? {} : { key }),
    });
    const outer = build(async (_input, { idempotencyKey: key, tools }) => ({
      key,
      inner: (await tools.call('inner', {})).structuredContent,
    }));
    const { call, jobs } = setUp([inner, outer]);
    await call({ what: 'x', dispatch: 'async' });
    const outcome = await jobs.outcome('job_1', { signal: new AbortController().signal });
    expect(outcome.structuredContent).toEqual({ key: 'nx-1', inner: {} });
    expect((await call({ what: 'x' })).structuredContent).toEqual({ inner: {} });
  });

  it('tells its tool, what that calls and their jobs which run’s step it comes from, by nothing of the client’s', async () => {
    const inner = fixtureTool({
      name: 'inner',
      output: z.object({ run: z.unknown() }),
      call: async (_input, { run }) => ({ run }),
    });
    const outer = build(async (_input, { run, tools }) => ({
      run,
      inner: (await tools.call('inner', {})).structuredContent,
    }));
    const { call, callOf, jobs } = setUp([inner, outer]);
    const run = { id: 'run_1', step: 'call' };
    expect((await call({ what: 'x' }, { run })).structuredContent).toEqual({ run, inner: { run } });
    const keyed = await call({ what: 'x', idempotencyKey: 'k' }, { run });
    expect(keyed.structuredContent).toEqual({ run, inner: { run } });
    expect(jobs.started[0]?.parent).toEqual(run);
    const forged = { name: 'build', arguments: { what: 'x' }, _meta: { run, 'nexus/run': run } };
    expect((await callOf('build', { params: forged })).structuredContent).toEqual({ inner: {} });
    const beside = await callOf('build', { params: { ...forged, run } });
    expect(beside.content[0]?.text).toContain('- run: stands beside the arguments');
  });

  it('with dispatch async is told of its faults at once, and makes no job', async () => {
    const { call, jobs, records } = setUp([build()]);
    const answer = await call({ what: 'far too long', dispatch: 'async' });
    expect(code(answer)).toBe('NEXUS_INVALID_ARGUMENTS');
    expect(jobs.started).toEqual([]);
    expect(records).toHaveLength(1);
  });

  it('outlives its caller’s signal once it is a job', async () => {
    const client = new AbortController();
    const { call, jobs } = setUp([build((_input, { signal }) => ({ aborted: signal.aborted }))]);
    await call({ what: 'x', dispatch: 'async' }, { signal: client.signal });
    client.abort();
    const outcome = await jobs.outcome('job_1', { signal: new AbortController().signal });
    expect(outcome.structuredContent).toEqual({ aborted: false });
  });

  it('with a key waits for the job, and the same call is answered from its record', async () => {
    const runs = vi.fn((input: object) => input);
    const { call, records } = setUp([build(runs)]);
    const first = await call({ what: 'x', idempotencyKey: 'k' });
    expect(first.structuredContent).toEqual({ what: 'x', level: 1 });
    expect(await call({ what: 'x', idempotencyKey: 'k' })).toEqual(first);
    expect(await call({ what: 'x', idempotencyKey: 'k', dispatch: 'async' })).toMatchObject({
      structuredContent: { jobId: 'job_1' },
    });
    expect(runs).toHaveBeenCalledOnce();
    expect(records).toHaveLength(1);
  });

  it('with a key ends when its caller cancels it, and not when its caller has gone', async () => {
    for (const hasGone of [false, true]) {
      const client = new AbortController();
      let inner: AbortSignal | undefined;
      const { call } = setUp([
        build((_input, { signal }) => {
          inner = signal;
          return new Promise(() => {});
        }),
      ]);
      const answer = call(
        { what: 'x', idempotencyKey: 'k' },
        { signal: client.signal, hasGone: () => hasGone },
      );
      await vi.waitFor(() => expect(inner).toBeDefined());
      client.abort();
      expect(code(await answer)).toBe('NEXUS_CANCELLED');
      expect(inner?.aborted).toBe(!hasGone);
    }
  });

  it('with a key runs again where the job that it found turns out to have died with its server', async () => {
    const { call, jobs } = setUp([build()]);
    await call({ what: 'x', idempotencyKey: 'k' });
    const unknown = toErrorResult(new ToolError('NEXUS_OUTCOME_UNKNOWN', 'its server died'));
    const start = vi.spyOn(jobs, 'start');
    const outcome = vi.spyOn(jobs, 'outcome').mockImplementationOnce(async () => unknown ?? { content: [] });
    const again = await call({ what: 'x', idempotencyKey: 'k' });
    expect(again.structuredContent).toEqual({ what: 'x', level: 1 });
    expect([start, outcome].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
  });

  it('with a key is not run again by itself where the job that it began died with its server', async () => {
    const { call, jobs } = setUp([build()]);
    const unknown = toErrorResult(new ToolError('NEXUS_OUTCOME_UNKNOWN', 'its server died'));
    const start = vi.spyOn(jobs, 'start');
    vi.spyOn(jobs, 'outcome').mockImplementation(async () => unknown ?? { content: [] });
    expect(code(await call({ what: 'x', idempotencyKey: 'k' }))).toBe('NEXUS_OUTCOME_UNKNOWN');
    expect(start).toHaveBeenCalledOnce();
  });

  it('with a key leaves the job of an earlier call alone when it is cancelled itself', async () => {
    const { call, jobs } = setUp([build(() => new Promise(() => {}))]);
    const cancel = vi.spyOn(jobs, 'cancel');
    void call({ what: 'x', idempotencyKey: 'k' });
    await vi.waitFor(() => expect(jobs.started).toHaveLength(1));
    const client = new AbortController();
    const repeated = call({ what: 'x', idempotencyKey: 'k' }, { signal: client.signal });
    client.abort();
    expect(code(await repeated)).toBe('NEXUS_CANCELLED');
    expect(cancel).not.toHaveBeenCalled();
  });

  it('with a key leaves its job alone where the wait for it fails', async () => {
    const { call, jobs } = setUp([build(() => new Promise(() => {}))]);
    const cancel = vi.spyOn(jobs, 'cancel');
    vi.spyOn(jobs, 'outcome').mockRejectedValue(new ToolError('NEXUS_UNAVAILABLE', 'the store is away'));
    expect(code(await call({ what: 'x', idempotencyKey: 'k' }))).toBe('NEXUS_UNAVAILABLE');
    expect(cancel).not.toHaveBeenCalled();
  });

  it('with a key, made by another tool, ends when their client cancels, and not when it has gone', async () => {
    for (const hasGone of [false, true]) {
      const client = new AbortController();
      let inner: AbortSignal | undefined;
      const long = build((_input, { signal }) => {
        inner = signal;
        return new Promise(() => {});
      });
      const outer = fixtureTool({
        name: 'outer',
        output: z.object({}),
        call: async (_input, { tools }) => {
          await tools.call('build', { arguments: { what: 'x', idempotencyKey: 'k' } });
          return {};
        },
      });
      const { jobs, callOf } = setUp([long, outer]);
      const answer = callOf('outer', { signal: client.signal, hasGone: () => hasGone });
      await vi.waitFor(() => expect(inner).toBeDefined());
      client.abort();
      await answer;
      expect(jobs.started).toHaveLength(1);
      // What follows the abort has its turns.
      await new Promise((resolve) => setImmediate(resolve));
      expect(inner?.aborted).toBe(!hasGone);
    }
  });

  it('with a key, made by a job, ends with that job, whether or not the job’s client is still there', async () => {
    for (const hasGone of [false, true]) {
      const { call, jobs, inner } = keyedWithin();
      await call({ what: 'x', dispatch: 'async' }, { hasGone: () => hasGone });
      await vi.waitFor(() => expect(inner()).toBeDefined());
      await jobs.cancel('job_1');
      await vi.waitFor(() => expect(inner()?.reason).toMatchObject({ code: 'NEXUS_CANCELLED' }));
    }
  });

  it('with a key, made by another tool, is left to the next server where this one stops', async () => {
    const { call, jobs, stop, inner } = keyedWithin();
    const cancel = vi.spyOn(jobs, 'cancel');
    const answer = call({ what: 'x' });
    await vi.waitFor(() => expect(inner()).toBeDefined());
    stop.abort();
    expect(code(await answer)).toBe('NEXUS_SHUTTING_DOWN');
    // What follows the abort has its turns.
    await new Promise((resolve) => setImmediate(resolve));
    expect(jobs.started).toHaveLength(1);
    expect(cancel).not.toHaveBeenCalled();
  });

  it('can ask its client while that waits, and has none to ask as a job alone', async () => {
    const asking = build(async (_input, { elicit }) => elicit({ message: 'why?', requestedSchema: {} }));
    const { call, jobs } = setUp([asking]);
    expect(await call({ what: 'x', idempotencyKey: 'k' }, { ask: ASKED })).toMatchObject({
      structuredContent: { action: 'accept' },
    });
    await call({ what: 'y', dispatch: 'async' }, { ask: ASKED });
    expect(code(await jobs.outcome('job_2', { signal: new AbortController().signal }))).toBe(
      'NEXUS_UNAVAILABLE',
    );
  });
});

describe('a job that another server left', () => {
  it('is made again whatever its session has in flight, has spent of its rate, and did before', async () => {
    let end = quiet;
    const held = new Promise<object>((resolve) => {
      end = () => resolve({});
    });
    const first = fixtureTool({ name: 'first' });
    const needy = { ...build(() => held), requires: ['first'] };
    const { again, records, mismatches } = setUp([needy, first], { ...roomy, burst: 1, callsInFlight: 1 });
    const answers = [again({ what: 'x' }), again({ what: 'y' }), again({ what: 'z' })];
    end();
    for (const answer of answers) expect((await answer).isError).toBeUndefined();
    expect(records).toHaveLength(3);
    expect(mismatches).toEqual([]);
  });

  it('is no job’s job, and what it calls pays its rate', async () => {
    const outer = build(async (_input, { tools }) => {
      const codes = [code(await tools.call('inner', {})), code(await tools.call('inner', {}))];
      return { codes: codes.map(String) };
    });
    const inner = fixtureTool({ name: 'inner' });
    const { again, jobs } = setUp([outer, inner], { ...roomy, burst: 1 });
    expect((await again({ what: 'x', dispatch: 'async' })).structuredContent).toEqual({
      codes: ['undefined', 'NEXUS_RATE_LIMITED'],
    });
    expect(jobs.started).toEqual([]);
  });

  it('is refused where the config denies its tool by now', async () => {
    const { again } = setUp([build()], roomy, { deny: ['build'] });
    expect(code(await again({ what: 'x' }))).toBe('NEXUS_DENIED');
  });
});

describe('a call by a step of a run', () => {
  const run = { id: 'run_1', step: 'call' };

  it('stands in no place of its session’s, and nobody is warned that its client may not wait', async () => {
    let end = quiet;
    const held = new Promise<object>((resolve) => {
      end = () => resolve({});
    });
    const { call, mismatches } = setUp([build(() => held)], { ...roomy, callsInFlight: 1 });
    const answers = [call({ what: 'x' }), call({ what: 'y' }, { run }), call({ what: 'z' }, { run })];
    end();
    for (const answer of answers) expect((await answer).isError).toBeUndefined();
    expect(mismatches).toHaveLength(1);
  });

  it('counts against its session’s rate, and may be of a tool that wants a task of a client', async () => {
    const needy = { ...fixtureTool({ name: 'build' }), taskSupport: 'required' } as const;
    const { call } = setUp([needy], { ...roomy, burst: 1 });
    expect((await call({}, { run })).isError).toBeUndefined();
    expect(code(await call({}, { run }))).toBe('NEXUS_RATE_LIMITED');
    await expect(call({})).rejects.toMatchObject({ code: -32601 });
  });
});

describe('a task', () => {
  it('is held to the session’s rate before anything of it is on record', async () => {
    const { task, jobs } = setUp([build()], { ...roomy, burst: 1 });
    await task({ what: 'x' });
    await expect(task({ what: 'y' })).rejects.toMatchObject({ code: 'NEXUS_RATE_LIMITED' });
    expect(jobs.started).toHaveLength(1);
  });

  it('comes to what the call would have answered', async () => {
    const { task, call, jobs, mismatches } = setUp([build()]);
    const { jobId } = await task({ what: 'x', dispatch: 'async' }, 5_000);
    const outcome = await jobs.outcome(jobId, { signal: new AbortController().signal });
    expect(outcome.structuredContent).toEqual({ what: 'x', level: 1 });
    expect(jobs.started).toMatchObject([{ arguments: { what: 'x' }, ttlMs: 5_000 }]);
    expect(mismatches).toEqual([]);
    expect(await call({ what: 'x' })).toEqual(outcome);
  });

  it('reports to its job and to the client that asked for it, which it can’t ask back', async () => {
    const asking = build(async (_input, { progress, elicit }) => {
      progress('half of it', 1, 2);
      return elicit({ message: 'why?', requestedSchema: {} });
    });
    const { dispatcher, caller, jobs } = setUp([asking]);
    const heard: unknown[] = [];
    const hear = (to: string) => (report: ProgressReport) => void heard.push([to, report.message]);
    const request = {
      params: { name: 'build', arguments: { what: 'x' } },
      signal: new AbortController().signal,
      progress: hear('client'),
      ask: ASKED,
    };
    await dispatcher.startTask(caller, request);
    heard.length = 0;
    const made = await jobs.started[0]?.run({
      signal: new AbortController().signal,
      idempotencyKey: 'k',
      progress: hear('job'),
    });
    expect(heard).toEqual([
      ['job', 'half of it'],
      ['client', 'half of it'],
    ]);
    expect(made && code(made)).toBe('NEXUS_UNAVAILABLE');
  });

  it('takes the faults of its arguments, and a tool’s error, as its outcome', async () => {
    const { task, jobs } = setUp([
      build(() => {
        throw new ToolError('NEXUS_UNAVAILABLE', 'no builder');
      }),
    ]);
    const codes = await Promise.all(
      [{ what: 'far too long' }, { what: 'x' }, { what: 'x', idempotencyKey: '' }].map(async (args) => {
        const { jobId } = await task(args);
        return code(await jobs.outcome(jobId, { signal: new AbortController().signal }));
      }),
    );
    expect(codes).toEqual(['NEXUS_INVALID_ARGUMENTS', 'NEXUS_UNAVAILABLE', 'NEXUS_INVALID_ARGUMENTS']);
  });

  it('that may destroy is made with all that was written, or not at all', async () => {
    const { startTaskOf, task, jobs } = setUp([build()]);
    for (const beside of [{ level: 2 }, { levels: 2 }, { args: { level: 2 } }])
      await expect(startTaskOf('build', { arguments: { what: 'x' }, ...beside })).rejects.toMatchObject({
        code: 'NEXUS_INVALID_ARGUMENTS',
      });
    expect(jobs.started).toEqual([]);
    const { jobId } = await task({ what: 'x', idempotencyKey: 5 });
    const outcome = await jobs.outcome(jobId, { signal: new AbortController().signal });
    expect(outcome.content[0]?.text).toContain('- idempotencyKey: ');
  });

  it('with a key is the job of an earlier call with it', async () => {
    const { task, call, jobs } = setUp([build()]);
    await call({ what: 'x', idempotencyKey: 'k' });
    expect(await task({ what: 'x', idempotencyKey: 'k' })).toMatchObject({ jobId: 'job_1' });
    expect(jobs.started).toHaveLength(1);
  });

  it('of a tool that is made by its first call has it made first', async () => {
    const input = z.object({ args: z.string() });
    const { dispatcher, caller, jobs } = setUp([unmade(fixtureTool({ name: 'build', isLong: true, input }))]);
    const { signal } = new AbortController();
    // Whether `args` is an argument is for its schema to say.
    const { jobId } = await dispatcher.startTask(caller, { params: { name: 'build', args: 'x' }, signal });
    expect((await jobs.outcome(jobId, { signal })).structuredContent).toEqual({ args: 'x' });
    expect(jobs.started[0]?.arguments).toEqual({ args: 'x' });
  });

  it('is refused by a tool that is not long, and by no tool at all', async () => {
    const { startTaskOf } = setUp([fixtureTool({ name: 'quick', annotations: READ_ONLY })]);
    await expect(startTaskOf('quick')).rejects.toMatchObject({ code: -32601 });
    await expect(startTaskOf('quack')).rejects.toMatchObject({ code: -32602 });
  });

  it('of another server’s tool keeps arguments that would ask a long tool for a job', async () => {
    const { task, jobs, registry } = setUp([]);
    const { input, call } = { input: z.looseObject({}), call: async (given: object) => given };
    const passed = { ...fixtureTool({ name: 'build', input, call }), taskSupport: 'optional' } as const;
    registry.setForSession(scopeOf('session'), 'box', [passed]);
    const { jobId } = await task({ dispatch: 'async', idempotencyKey: 'k' });
    const outcome = await jobs.outcome(jobId, { signal: new AbortController().signal });
    expect(outcome.structuredContent).toEqual({ dispatch: 'async', idempotencyKey: 'k' });
    expect(jobs.started).toMatchObject([{ idempotencyKey: undefined, mayRunTwice: false }]);
  });

  it('is the only way for a client to a tool that requires one, and not for other tools', async () => {
    const needy = { ...fixtureTool({ name: 'needy' }), taskSupport: 'required' } as const;
    const outer = fixtureTool({
      name: 'build',
      call: async (_input, { tools }) => (await tools.call('needy', {})).structuredContent ?? {},
    });
    const { call, startTaskOf, jobs } = setUp([needy, outer]);
    await expect(call({}, { params: { name: 'needy' } })).rejects.toMatchObject({ code: -32601 });
    expect(await call({})).toMatchObject({ structuredContent: {} });
    const { jobId } = await startTaskOf('needy');
    expect(await jobs.outcome(jobId, { signal: new AbortController().signal })).toMatchObject({
      structuredContent: {},
    });
  });
});
