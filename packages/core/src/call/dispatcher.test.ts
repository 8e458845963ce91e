import {
  type AnyTool,
  type CallContext,
  type Log,
  type ToolCallResult,
  type ToolDefinition,
  ToolError,
} from '@nexus/plugin-sdk';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fixtureTool, READ_ONLY, unmade } from '../../test/fixture-tools.ts';
import { memoryJobs } from '../../test/memory-jobs.ts';
import { scopeOf } from '../../test/scope-of.ts';
import { ERROR_META_KEY } from '../errors/envelope.ts';
import { AnsweredError, ProtocolError } from '../errors/protocol-error.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { createRegistry } from '../registry/registry.ts';
import type { MismatchEvent } from '../timeouts/mismatch.ts';
import type { ProgressReport } from '../timeouts/progress.ts';
import type { CallAudit } from './audited.ts';
import { createDispatcher, type DispatcherOptions } from './dispatcher.ts';
import type { CallRecord } from './record.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2025, 10, 25) });
});
afterEach(() => {
  vi.useRealTimers();
});

const quiet = () => {};
const silent: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const roomy = { callsPerSecond: 1, burst: 100, callsInFlight: 100, argumentCharsInFlight: 10_000 };

/** A dispatcher on the given tools that keeps what it recorded and logged. */
function setUp(
  tools: readonly RegisteredTool[],
  { redact = (value) => value, log, ...options }: Partial<DispatcherOptions> = {},
) {
  const records: CallRecord[] = [];
  const mismatches: MismatchEvent[] = [];
  const warnings: unknown[] = [];
  const failures: { message: string; fields: Record<string, unknown> | undefined }[] = [];
  const stop = new AbortController();
  const registry = createRegistry();
  for (const tool of tools) registry.register(tool);
  const dispatcher = createDispatcher({
    redact,
    registry,
    budgets: { overridesMs: {}, multiplier: 1 },
    limits: roomy,
    permissions: { deny: [] },
    jobs: memoryJobs(),
    shutdown: stop.signal,
    log: { ...silent, error: (message, fields) => failures.push({ message, fields }) },
    record: (record) => records.push(record),
    recordMismatch: (event) => mismatches.push(event),
    ...options,
  });
  interface Extras {
    signal?: AbortSignal;
    sessionId?: string;
    progress?: (report: ProgressReport) => void;
  }
  const sessionLog: Log = {
    ...silent,
    warn: (_, fields) => warnings.push(fields),
    ...log,
  };
  const call = (params: Record<string, unknown>, extras: Extras = {}) =>
    dispatcher.call(
      {
        session: scopeOf(extras.sessionId ?? 'session'),
        client: { name: 'tester', version: '1' },
        log: sessionLog,
        roots: async () => [{ path: '/project', name: 'project' }],
      },
      { params, signal: extras.signal ?? new AbortController().signal, progress: extras.progress },
    );
  return { call, dispatcher, records, mismatches, warnings, failures, stop };
}

const echo = fixtureTool({ input: z.object({ text: z.string().optional(), count: z.number().optional() }) });
const hanging = fixtureTool({ name: 'hanging', budget: 'panel', call: () => new Promise<never>(() => {}) });
const failing = (name: string, thrown: unknown) => fixtureTool({ name, call: () => Promise.reject(thrown) });

function envelope(result: ToolCallResult): unknown {
  return result._meta?.[ERROR_META_KEY];
}

async function protocolError(call: Promise<unknown>): Promise<ProtocolError> {
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof ProtocolError)) throw new Error('no protocol error', { cause: error });
  return error;
}

describe('a call', () => {
  it('answers, and is recorded with its trace and time', async () => {
    const { call, records } = setUp([echo]);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const _meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const result = await call({ name: 'echo', arguments: { text: 'hi' }, _meta });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: '{"text":"hi"}' }],
      structuredContent: { text: 'hi' },
    });
    expect(records).toEqual([
      {
        toolName: 'echo',
        sessionId: 'session',
        trace: { traceId, parentId: '00f067aa0ba902b7' },
        startedAtMs: Date.now(),
        endedAtMs: Date.now(),
        recovery: undefined,
        error: undefined,
      },
    ]);
  });

  it.each([
    [
      'of short arguments goes on at a stretch',
      10,
      ['looked at', 'written down', 'ran', 'another', 'another', 'another'],
    ],
    [
      'of long ones leaves others their turn',
      2_000_000,
      ['another', 'looked at', 'another', 'written down', 'another', 'ran'],
    ],
  ])('%s', async (_, length, expected) => {
    vi.useRealTimers();
    const order: string[] = [];
    const another = () => setImmediate(() => order.push('another'));
    const tool = fixtureTool({
      input: z.object({ text: z.string() }),
      async call() {
        order.push('ran');
        return {};
      },
    });
    const audit: CallAudit = {
      wants: () => true,
      begin() {
        order.push('written down');
        another();
        return () => {};
      },
    };
    const permissions = {
      deny: [],
      get reachOut() {
        order.push('looked at');
        another();
        return [];
      },
    };
    const { call } = setUp([tool], { audit, permissions });
    another();
    await call({ name: tool.name, arguments: { text: 'x'.repeat(length) } });
    await new Promise(setImmediate);
    expect(order).toEqual(expected);
  });

  it('tells the tool what it may know of the call', async () => {
    let seen: CallContext | undefined;
    const spy = fixtureTool({
      call: async (_: unknown, context: CallContext) => {
        seen = context;
        return {};
      },
    });
    const { call } = setUp([spy]);
    await call({ name: 'echo' });
    expect(seen).toMatchObject({
      state: 'the state',
      session: { id: 'session' },
      client: { name: 'tester', version: '1' },
      deadline: Date.now() + 60_000,
    });
    expect(await seen?.roots()).toEqual([{ path: '/project', name: 'project' }]);
    expect(seen?.tools.find('echo')).toMatchObject({ name: 'echo', annotations: { readOnlyHint: true } });
    expect(seen?.tools.find('nothing')).toBeUndefined();
    expect(seen?.tools.list().map((tool) => tool.name)).toEqual(['echo']);
  });

  it('of a tool that is made by its first call has it made first', async () => {
    const { call } = setUp([unmade(echo)]);
    const answers = [call({ name: 'echo', text: 'one' }), call({ name: 'echo', text: 'two' })];
    expect((await Promise.all(answers)).map(({ structuredContent }) => structuredContent)).toEqual([
      { text: 'one' },
      { text: 'two' },
    ]);
  });

  it('of an unknown tool is -32602 and names the nearest', async () => {
    const { call, records } = setUp([echo, hanging]);
    const error = await protocolError(call({ name: 'ecoh' }));
    expect(error).toMatchObject({ code: -32602, message: 'Unknown tool: ecoh; did you mean echo?' });
    expect((await protocolError(call({ name: 'x'.repeat(9_000) }))).message.length).toBeLessThan(200);
    expect(records).toEqual([]);
  });

  it.each([[undefined], [7], [{}]])('without a name (%j) is -32602', async (name) => {
    const error = await protocolError(setUp([echo]).call({ name }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('params.name') });
  });

  it('with malformed arguments is -32602, and recorded as such', async () => {
    const { call, records } = setUp([echo]);
    expect(await protocolError(call({ name: 'echo', arguments: [] }))).toMatchObject({
      code: -32602,
      data: { received: 'array' },
    });
    expect(records).toMatchObject([{ toolName: 'echo', error: { code: '-32602', category: 'protocol' } }]);
  });

  it('with wrong arguments is a tool error, and recorded as such', async () => {
    const { call, records } = setUp([echo]);
    const result = await call({ name: 'echo', arguments: { text: 7 } });
    expect(result).toMatchObject({ isError: true });
    expect(envelope(result)).toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
      category: 'validation',
      retryable: false,
    });
    expect(records).toMatchObject([{ error: { code: 'NEXUS_INVALID_ARGUMENTS', category: 'validation' } }]);
  });
});

describe('what was recovered', () => {
  const gone = failing('gone', new ToolError('NEXUS_NOT_FOUND', 'nothing there'));

  it('is stated in the result and the record', async () => {
    const { call, records } = setUp([echo]);
    const result = await call({ name: 'echo', arguments: {}, text: 'hi', count: '5' });
    expect(result.structuredContent).toEqual({ text: 'hi', count: 5 });
    expect(result._meta).toMatchObject({ 'nexus/normalized': { source: 'inline', repaired: ['count'] } });
    expect(records[0]?.recovery).toEqual({ source: 'inline', repaired: ['count'] });
  });

  it('is stated in an error’s result too, beside its envelope', async () => {
    const { call } = setUp([{ ...gone, validate: echo.validate, listing: echo.listing, fits: echo.fits }]);
    const result = await call({ name: 'gone', args: { text: 'hi' } });
    expect(result._meta).toMatchObject({
      'nexus/normalized': { source: 'args' },
      'nexus/error': { code: 'NEXUS_NOT_FOUND' },
    });
  });
});

describe('policy', () => {
  const guarded = fixtureTool({ name: 'guarded', requires: ['echo'], input: z.object({ n: z.number() }) });

  it('comes after validation, and is rate, permission, prerequisite in this order', async () => {
    const { call } = setUp([echo, guarded], {
      limits: { ...roomy, burst: 1 },
      permissions: { deny: ['guarded'] },
    });
    const codeOf = async (args: Record<string, unknown>) =>
      envelope(await call({ name: 'guarded', arguments: args }));
    expect(await codeOf({})).toMatchObject({ code: 'NEXUS_INVALID_ARGUMENTS' });
    expect(await codeOf({ n: 1 })).toMatchObject({ code: 'NEXUS_DENIED' });
    expect(await codeOf({ n: 1 })).toMatchObject({
      code: 'NEXUS_RATE_LIMITED',
      detail: { retryAfterMs: 1000 },
    });
  });

  it('lets a tool wait for another to have succeeded in the same session', async () => {
    const { call } = setUp([fixtureTool({ input: z.object({ text: z.string() }) }), guarded]);
    const guardedCall = (sessionId: string) => call({ name: 'guarded', arguments: { n: 1 } }, { sessionId });
    expect(envelope(await guardedCall('one'))).toMatchObject({
      code: 'NEXUS_PREREQUISITE',
      message: 'guarded wants echo to have succeeded first in this session.',
      detail: { missing: ['echo'] },
    });
    await call({ name: 'echo', arguments: {} }, { sessionId: 'one' });
    expect((await guardedCall('one')).isError).toBe(true);
    await call({ name: 'echo', arguments: { text: 'x' } }, { sessionId: 'one' });
    expect((await guardedCall('one')).isError).toBeUndefined();
    expect((await guardedCall('two')).isError).toBe(true);
  });

  it('limits each session by itself', async () => {
    const { call } = setUp([echo], { limits: { ...roomy, burst: 1 } });
    await call({ name: 'echo' }, { sessionId: 'one' });
    expect((await call({ name: 'echo' }, { sessionId: 'one' })).isError).toBe(true);
    expect((await call({ name: 'echo' }, { sessionId: 'two' })).isError).toBeUndefined();
  });

  it('bounds what one session has in flight, whatever its rate, and counts no call from inside a tool', async () => {
    let finish = quiet;
    const slow = fixtureTool({
      name: 'slow',
      call: async (_, { tools }) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        await tools.call('echo', {});
        return {};
      },
    });
    const { call } = setUp([slow, echo], { limits: { ...roomy, callsInFlight: 1 } });
    const first = call({ name: 'slow' }, { sessionId: 'one' });
    await vi.waitFor(() => expect(finish).not.toBe(quiet));
    expect(envelope(await call({ name: 'echo' }, { sessionId: 'one' }))).toMatchObject({
      code: 'NEXUS_RATE_LIMITED',
      detail: { retryAfterMs: expect.any(Number) },
    });
    expect((await call({ name: 'echo' }, { sessionId: 'two' })).isError).toBeUndefined();
    finish();
    expect((await first).isError).toBeUndefined();
    expect((await call({ name: 'echo' }, { sessionId: 'one' })).isError).toBeUndefined();
  });

  it('gives back the place of a call that it refuses', async () => {
    const { call } = setUp([echo, guarded], {
      limits: { ...roomy, callsInFlight: 1 },
      permissions: { deny: ['guarded'] },
    });
    const refused = await call({ name: 'guarded', arguments: { n: 1 } });
    expect(envelope(refused)).toMatchObject({ code: 'NEXUS_DENIED' });
    expect((await call({ name: 'echo' })).isError).toBeUndefined();
  });

  it('forgets a session at its end, also what a call still in flight then adds', async () => {
    let finish = quiet;
    const slow = fixtureTool({
      name: 'slow',
      call: () =>
        new Promise((resolve) => {
          finish = () => resolve({});
        }),
    });
    const after = fixtureTool({ name: 'after', requires: ['slow'] });
    const { call } = setUp([slow, after], { limits: { ...roomy, burst: 1 } });
    const inFlight = call({ name: 'slow' });
    await vi.waitFor(() => expect(finish).not.toBe(quiet));
    await scopeOf('session').end();
    finish();
    await inFlight;
    expect(envelope(await call({ name: 'after' }))).toMatchObject({ code: 'NEXUS_PREREQUISITE' });
  });

  it('refuses budgets out of range before any call', () => {
    expect(() => setUp([echo], { budgets: { overridesMs: {}, multiplier: 11 } })).toThrow(RangeError);
  });
});

describe('a tool that fails', () => {
  it.each([
    ['an error', new Error('database is locked')],
    ['no error', 'just text'],
    ['nothing', undefined],
    ['a code that is not in the table', new ToolError('NEXUS_NO_SUCH', 'database is locked')],
    ['an internal code', new ToolError('NEXUS_INTERNAL', 'database is locked')],
  ])('by throwing %s leaves as -32603 with an id that the log has', async (_, thrown) => {
    const { call, failures, records } = setUp([failing('broken', thrown)]);
    const error = await protocolError(call({ name: 'broken' }));
    const correlationId = String((error.data as { correlationId?: string }).correlationId);
    expect(error.code).toBe(-32603);
    expect(correlationId).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.message).toContain(correlationId);
    expect(JSON.stringify([error.message, error.data])).not.toMatch(/database|just text|\bat\b.*:\d+/);
    expect(failures).toEqual([
      {
        message: 'a tool failed',
        fields: { tool: 'broken', plugin: 'fixtures', correlationId, err: thrown },
      },
    ]);
    expect(records).toMatchObject([{ error: { code: 'NEXUS_INTERNAL', category: 'internal' } }]);
  });

  it('in a run says which, how that is gone on with and what it cost, and leaves the cause to the log', async () => {
    const wayOn =
      'Run run_1 keeps what is done: nexus://runs/run_1 and `nexus runs run_1` show it, resume_run goes on from there.\nSo far: 2 model calls';
    const thrown = new ToolError('NEXUS_INTERNAL', `database is locked\n${wayOn}`, {
      detail: { runId: 'run_1', status: 'failed', password: 'hunter2' },
    });
    const { call, failures, records } = setUp([failing('works', thrown)]);
    const result = await call({ name: 'works' });
    const correlationId = Object(failures[0]?.fields).correlationId as string;
    const text = `Internal error in works; the server's log has its cause under ${correlationId}\n${wayOn}`;
    expect(result.isError).toBe(true);
    expect(result.content).toEqual([{ type: 'text', text }]);
    expect(envelope(result)).toEqual({
      ...{ code: 'NEXUS_INTERNAL', category: 'internal', retryable: false, message: text },
      detail: { correlationId, runId: 'run_1', status: 'failed' },
    });
    expect(failures[0]?.fields).toMatchObject({ err: thrown });
    expect(records).toMatchObject([{ error: { code: 'NEXUS_INTERNAL', category: 'internal' } }]);
  });

  it('in a run below another names it, though it is the one above that is gone on with', async () => {
    const detail = { runId: 'run_2', status: 'failed' };
    const thrown = new ToolError('NEXUS_NO_SUCH', 'database is locked (nexus://runs/run_2)', { detail });
    const { call, failures } = setUp([failing('works', thrown)]);
    const result = await call({ name: 'works' });
    const correlationId = Object(failures[0]?.fields).correlationId as string;
    expect(result.content[0]?.text).toMatch(new RegExp(`^Internal error in works; [^\n]*${correlationId}$`));
    expect(envelope(result)).toMatchObject({ code: 'NEXUS_INTERNAL', detail: { ...detail, correlationId } });
  });

  it('by throwing before it returns a promise is no different', async () => {
    const { call } = setUp([
      {
        ...echo,
        run: () => {
          throw new Error('at once');
        },
      },
    ]);
    expect((await protocolError(call({ name: 'echo' }))).code).toBe(-32603);
  });

  it('by answering against its output schema is -32603, and the answer stays in', async () => {
    const output = z.object({ n: z.number() });
    const { call, failures } = setUp([fixtureTool({ output, call: async () => ({ n: 'secret' }) })]);
    const error = await protocolError(call({ name: 'echo' }));
    expect(error.code).toBe(-32603);
    expect(JSON.stringify([error.message, error.data])).not.toContain('secret');
    expect(failures).toHaveLength(1);
  });

  it('by a tool error of another copy of the SDK leaves as that error', async () => {
    const foreign = Object.assign(new Error('gone'), { name: 'ToolError', code: 'NEXUS_NOT_FOUND' });
    const { call } = setUp([failing('foreign', foreign)]);
    expect(envelope(await call({ name: 'foreign' }))).toMatchObject({ code: 'NEXUS_NOT_FOUND' });
  });

  it('by a result with isError, as a downstream server’s, is passed on and recorded as an error', async () => {
    const result = { content: [{ type: 'text', text: 'disk full\nat sector 5' }], isError: true };
    const downstream: RegisteredTool = {
      ...echo,
      origin: 'a__s__echo',
      budget: 'panel',
      run: async () => result,
    };
    const after = fixtureTool({ name: 'after', requires: ['echo'] });
    const { call, records, mismatches } = setUp([downstream, after]);
    expect(await call({ name: 'echo' })).toBe(result);
    expect(records).toMatchObject([{ error: { code: 'NEXUS_TOOL_FAILED', category: 'business' } }]);
    expect(mismatches).toEqual([]);
    expect(envelope(await call({ name: 'after' }))).toMatchObject({ code: 'NEXUS_PREREQUISITE' });
  });
});

describe('a deadline', () => {
  it('answers a call whose tool ignores its signal', async () => {
    const { call, records } = setUp([hanging]);
    const running = call({ name: 'hanging' });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(envelope(await running)).toMatchObject({
      code: 'NEXUS_TIMEOUT',
      category: 'timeout',
      retryable: true,
    });
    expect(records).toMatchObject([{ error: { category: 'timeout' } }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is the client’s cancel too, and the tool’s signal says so', async () => {
    let reason: unknown;
    const attentive = fixtureTool({
      call: (_: unknown, { signal }: CallContext) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(new Error('ended'));
          });
        }),
    });
    const { call } = setUp([attentive]);
    const cancel = new AbortController();
    const running = call({ name: 'echo' }, { signal: cancel.signal });
    await vi.advanceTimersByTimeAsync(1);
    cancel.abort();
    expect(envelope(await running)).toMatchObject({ code: 'NEXUS_CANCELLED' });
    expect(reason).toMatchObject({ code: 'NEXUS_CANCELLED' });
  });

  it('is shutdown too, and nothing starts after it', async () => {
    const run = vi.fn(echo.run);
    const { call, stop } = setUp([hanging, { ...echo, run }]);
    const running = call({ name: 'hanging' });
    await vi.advanceTimersByTimeAsync(1);
    stop.abort();
    expect(envelope(await running)).toMatchObject({ code: 'NEXUS_SHUTTING_DOWN', category: 'unavailable' });
    expect(envelope(await call({ name: 'echo' }))).toMatchObject({ code: 'NEXUS_SHUTTING_DOWN' });
    expect(run).not.toHaveBeenCalled();
  });
});

describe('progress', () => {
  it('beats while a call with a progress token runs, and ends with it', async () => {
    const reports: ProgressReport[] = [];
    let report: CallContext['progress'] = quiet;
    const talker = fixtureTool({
      call: async (_: unknown, { progress }: CallContext) => {
        report = progress;
        progress('one', 1, 2);
        await new Promise((resolve) => setTimeout(resolve, 20_000));
        return {};
      },
    });
    const { call } = setUp([talker]);
    const running = call({ name: 'echo' }, { progress: (sent) => reports.push(sent) });
    await vi.advanceTimersByTimeAsync(20_000);
    await running;
    expect(reports[0]).toEqual({ progress: 1, total: 2, message: 'one' });
    expect(reports.length).toBeGreaterThanOrEqual(3);
    const sentByEnd = reports.length;
    report('too late', 2, 2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reports).toHaveLength(sentByEnd);
  });

  it('may be reported by a tool whose client asked for none', async () => {
    const call = async (_: unknown, { progress }: CallContext) => {
      progress('one', 1, 2);
      return {};
    };
    expect((await setUp([fixtureTool({ call })]).call({ name: 'echo' })).isError).toBeUndefined();
  });
});

describe('a budget above the client’s default', () => {
  it('warns at the start and leaves a row at the end, joined by eventId', async () => {
    const { call, warnings, mismatches } = setUp([hanging]);
    const running = call({ name: 'hanging' });
    await vi.advanceTimersByTimeAsync(0);
    expect(warnings).toEqual([
      { tool: 'hanging', configuredTimeoutMs: 600_000, mcpSdkDefaultMs: 60_000, eventId: expect.any(String) },
    ]);
    expect(mismatches).toEqual([]);
    await vi.advanceTimersByTimeAsync(600_000);
    await running;
    expect(mismatches).toEqual([
      {
        eventId: (warnings[0] as { eventId: string }).eventId,
        toolName: 'hanging',
        configuredTimeoutMs: 600_000,
        mcpSdkDefaultMs: 60_000,
        startedAt: '2025-11-25T00:00:00.000Z',
        endedAt: '2025-11-25T00:10:00.000Z',
        durationMs: 600_000,
        outcome: 'error',
        errorCategory: 'timeout',
        errorMessage: expect.stringContaining('budget of 600000 ms'),
      },
    ]);
  });

  it('warns once the call is on its way, so that no log holds it up', async () => {
    const order: string[] = [];
    const passed: RegisteredTool = {
      ...fixtureTool({ name: 'wide', budget: 'network' }),
      async run() {
        order.push('run');
        process.nextTick(() => order.push('written'));
        return { content: [] };
      },
    };
    const log = { ...silent, warn: () => order.push('warn') };
    const { call } = setUp([passed], { log });
    await call({ name: 'wide' });
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(['run', 'written', 'warn']);
  });

  it('is warned of where the call is refused at once, too: each row has its warning', async () => {
    const wide = fixtureTool({ name: 'wide', budget: 'network', input: z.object({ n: z.number() }) });
    const { call, warnings, mismatches } = setUp([wide]);
    expect((await call({ name: 'wide', arguments: {} })).isError).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    const { eventId } = mismatches[0] ?? {};
    expect(eventId).toBeDefined();
    expect(warnings).toMatchObject([{ tool: 'wide', eventId }]);
  });

  it('is warned of at its start once a session and tool, while each call has its row', async () => {
    const wide = fixtureTool({ name: 'wide', budget: 'network' });
    const { call, warnings, mismatches } = setUp([wide]);
    for (const sessionId of ['one', 'one', 'two']) await call({ name: 'wide' }, { sessionId });
    expect(warnings).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(warnings.filter((fields) => Object.hasOwn(fields as object, 'configuredTimeoutMs'))).toHaveLength(
      2,
    );
    expect(mismatches).toHaveLength(3);
  });

  it('has the id of each row in a warning, though no client had to wait for it', async () => {
    const wide = fixtureTool({ name: 'wide', budget: 'network' });
    const { call, warnings, mismatches } = setUp([wide, hanging]);
    for (const _ of ['warned of', 'told of']) await call({ name: 'wide' });
    for (const _ of ['warned of', 'warned of again']) {
      const running = call({ name: 'hanging' });
      await vi.advanceTimersByTimeAsync(600_000);
      await running;
    }
    await vi.advanceTimersByTimeAsync(1);
    const idsOf = (logged: readonly unknown[]) =>
      logged.map((fields) => (fields as { eventId: string }).eventId);
    expect(mismatches).toHaveLength(4);
    expect(idsOf(warnings)).toEqual(mismatches.map(({ eventId }) => eventId));
  });

  it('of a tool of another server, or of use_tool, has a row only where it took longer than a client waits', async () => {
    let tookMs = 59_000;
    const run = () =>
      new Promise<{ content: [] }>((resolve) => setTimeout(() => resolve({ content: [] }), tookMs));
    const passed: RegisteredTool = { ...echo, origin: 'a__s__echo', budget: 'panel', run };
    const conduit: RegisteredTool = { ...echo, name: 'pass', passesResultsOn: true, budget: 'panel', run };
    const { call, warnings, mismatches } = setUp([passed, conduit]);
    const callBoth = async () => {
      const both = Promise.all([call({ name: 'echo' }), call({ name: 'pass' })]);
      await vi.advanceTimersByTimeAsync(tookMs);
      await both;
    };
    await callBoth();
    expect(mismatches).toEqual([]);
    tookMs = 61_000;
    await callBoth();
    expect(mismatches).toMatchObject([
      { toolName: 'echo', durationMs: 61_000 },
      { toolName: 'pass', durationMs: 61_000 },
    ]);
    expect(warnings).toMatchObject([{ tool: 'echo' }, { tool: 'pass' }]);
  });

  it('is no mismatch with a progress token, nor within the default', async () => {
    const wide = fixtureTool({ name: 'wide', budget: 'network' });
    const { call, warnings, mismatches } = setUp([echo, wide]);
    await call({ name: 'wide' }, { progress: quiet });
    await call({ name: 'echo' });
    expect([warnings, mismatches]).toEqual([[], []]);
    await call({ name: 'wide' });
    expect(mismatches).toMatchObject([{ toolName: 'wide', outcome: 'success' }]);
  });
});

describe('a call from inside a tool', () => {
  /** A tool that calls another with the params it is given, and answers with what came of it. */
  const caller = (tool: Partial<AnyTool> = {}) =>
    fixtureTool({
      name: 'caller',
      input: z.looseObject({ tool: z.string() }),
      call: async ({ tool: name, ...params }: { tool: string }, { tools }: CallContext) => {
        const result = await tools.call(name, params);
        return {
          isError: result.isError ?? false,
          meta: result._meta ?? null,
          answer: result.structuredContent ?? null,
        };
      },
      ...tool,
    });

  it('goes the same way: normalised, validated, recorded under the same trace', async () => {
    const { call, records } = setUp([caller(), echo]);
    const result = await call({ name: 'caller', arguments: { tool: 'echo', text: 'hi', count: '5' } });
    expect(result.structuredContent).toEqual({
      isError: false,
      meta: {
        'nexus/normalized': { source: 'inline', repaired: ['count'] },
        'nexus/label': { trust: 'trusted', privacy: 'private' },
      },
      answer: { text: 'hi', count: 5 },
    });
    expect(records.map((record) => record.toolName)).toEqual(['echo', 'caller']);
    expect(records[0]?.trace).toEqual(records[1]?.trace);
  });

  it('tells whether it may be made again, before it is made, where its caller does nothing else', async () => {
    const told: boolean[] = [];
    const annotations = { ...READ_ONLY, readOnlyHint: false, idempotentHint: false };
    const note = fixtureTool({ name: 'note', annotations, call: async () => ({ told: [...told] }) });
    const long = fixtureTool({ name: 'long', annotations, isLong: true });
    const passing = { ...caller(), name: 'passing', passesResultsOn: true };
    const { dispatcher } = setUp([caller(), passing, echo, note, long]);
    const from = {
      session: scopeOf('session'),
      client: { name: 'tester', version: '1' },
      log: silent,
      roots: async () => [],
    };
    const toldOf = async (name: string, args: object) => {
      told.length = 0;
      const result = await dispatcher.call(from, {
        params: { name, arguments: args },
        signal: new AbortController().signal,
        tellRepeat: (mayRepeat) => void told.push(mayRepeat),
      });
      expect(result.structuredContent).toMatchObject({ isError: false });
      return { told: [...told], answer: result.structuredContent?.answer };
    };
    expect(await toldOf('passing', { tool: 'note' })).toEqual({ told: [false], answer: { told: [false] } });
    expect(await toldOf('passing', { tool: 'echo' })).toMatchObject({ told: [true] });
    expect(await toldOf('passing', { tool: 'long' })).toMatchObject({ told: [false] });
    expect(await toldOf('passing', { tool: 'long', idempotencyKey: 'k' })).toMatchObject({ told: [true] });
    const twice = { tool: 'passing', arguments: { tool: 'echo' } };
    expect(await toldOf('passing', twice)).toMatchObject({ told: [true] });
    expect(await toldOf('caller', { tool: 'echo' })).toMatchObject({ told: [] });
    expect(await toldOf('caller', twice)).toMatchObject({ told: [] });
  });

  it('has what another server answered as content, which a client gets untouched', async () => {
    const answered = { toolResult: { rows: 2 } };
    const odd: RegisteredTool = { ...echo, run: async () => answered as never };
    const { call } = setUp([caller(), odd]);
    expect(await call({ name: 'echo' })).toEqual(expect.objectContaining(answered));
    expect(await call({ name: 'echo' })).not.toHaveProperty('content');
    const nested = await call({ name: 'caller', arguments: { tool: 'echo', text: 'x' } });
    expect(nested.structuredContent).toMatchObject({ answer: { rows: 2 } });
  });

  it('takes name as an argument where the tool declares it', async () => {
    const greet = fixtureTool({ name: 'greet', input: z.object({ name: z.string() }) });
    const { call } = setUp([caller(), greet]);
    const result = await call({ name: 'caller', arguments: { tool: 'greet', name: 'Ada' } });
    expect(result.structuredContent).toMatchObject({ answer: { name: 'Ada' } });
  });

  it('counts against the session’s rate and permissions', async () => {
    const { call } = setUp([caller(), echo], { limits: { ...roomy, burst: 1 } });
    const result = await call({ name: 'caller', arguments: { tool: 'echo' } });
    expect(result.structuredContent).toMatchObject({
      isError: true,
      meta: { 'nexus/error': { code: 'NEXUS_RATE_LIMITED' } },
    });
  });

  it('has the outer call’s deadline, and its signal fires with it', async () => {
    let inner: CallContext | undefined;
    const slow = fixtureTool({
      name: 'slow',
      budget: 'pipeline',
      call: (_: unknown, context: CallContext) => {
        inner = context;
        return new Promise<never>(() => {});
      },
    });
    const { call, warnings, records } = setUp([caller(), slow]);
    const startedAtMs = Date.now();
    const running = call({ name: 'caller', arguments: { tool: 'slow' } });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(inner?.deadline).toBe(startedAtMs + 60_000);
    expect(inner?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(inner?.signal.aborted).toBe(true);
    expect(envelope(await running)).toMatchObject({
      code: 'NEXUS_TIMEOUT',
      message: expect.stringContaining('caller did not finish'),
    });
    expect(records.map((record) => record.error?.category)).toEqual(['timeout', 'timeout']);
    expect(warnings).toEqual([]);
  });

  it('reports its progress as the outer call’s, which beats for both', async () => {
    const slow = fixtureTool({
      name: 'slow',
      call: async (_: unknown, { progress }: CallContext) => {
        progress('one of two', 1, 2);
        await new Promise((resolve) => setTimeout(resolve, 6_000));
        progress('two of two', 2, 2);
        return {};
      },
    });
    const { call } = setUp([caller(), slow]);
    const reports: ProgressReport[] = [];
    const running = call(
      { name: 'caller', arguments: { tool: 'slow' } },
      { progress: (sent) => reports.push(sent) },
    );
    await vi.advanceTimersByTimeAsync(6_000);
    await running;
    expect(reports).toEqual([
      { progress: 1, total: 2, message: 'one of two' },
      { progress: expect.closeTo(1), total: 2, message: 'caller is running (5 s)' },
      { progress: 2, total: 2, message: 'two of two' },
    ]);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of an unknown tool throws to the tool that made it', async () => {
    const catching: ToolDefinition<unknown, z.ZodObject, z.ZodObject>['call'] = async (_, { tools }) => {
      const error = await protocolError(tools.call('ecoh', {}));
      return { code: error.code, message: error.message };
    };
    const { call } = setUp([caller({ call: catching }), echo]);
    expect((await call({ name: 'caller', arguments: { tool: 'ecoh' } })).structuredContent).toEqual({
      code: -32602,
      message: 'Unknown tool: ecoh; did you mean echo?',
    });
  });
});

describe('whatever a tool throws or answers', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const getter = () => {
    throw new Error('not to be read');
  };
  const unreadable = () => Object.defineProperty(new Error('x'), 'name', { get: getter });
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable(new Error('x'), {});
    revoke();
    return proxy;
  };
  const details: Readonly<Record<string, unknown>>[] = [
    { big: 1n },
    cycle,
    { deep: { fn: () => 1, symbol: Symbol('s'), none: undefined } },
    Object.defineProperty({}, 'bad', { enumerable: true, get: getter }),
    { toJSON: getter },
    new Map() as never,
    'text' as never,
  ];
  // Made when thrown: fast-check itself can't hold some of them.
  const thrown: fc.Arbitrary<() => unknown> = fc.oneof(
    fc.anything({ withBigInt: true, withNullPrototype: true }).map((what) => () => what),
    fc.constantFrom(...details).map((detail) => () => new ToolError('NEXUS_CONFLICT', 'no', { detail })),
    fc.anything().map((message) => () => Object.assign(new ToolError('NEXUS_CONFLICT', 'no'), { message })),
    fc.constantFrom(unreadable, revoked, () => Object.create(null)),
    fc.constantFrom(...details).map((data) => () => new ProtocolError(-32050, 'no', data)),
  );

  it('its caller gets an answer that can be written as JSON, and the call is recorded', async () => {
    await fc.assert(
      fc.asyncProperty(thrown, async (make) => {
        const { call, records } = setUp([failing('bad', make())]);
        const answer = await call({ name: 'bad' }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ProtocolError);
          const { code, message, data } = error as ProtocolError;
          return { code, message, data };
        });
        expect(JSON.parse(JSON.stringify(answer))).toBeTypeOf('object');
        expect(records).toHaveLength(1);
        expect(records[0]?.error?.message).toBeTypeOf('string');
      }),
    );
  });

  it('secrets are masked in it and in its record, where the tool was called by another, too', async () => {
    const redact = <Value>(value: Value): Value =>
      value === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll('sesame', '***')) as Value);
    const detail = { at: 'sesame' };
    for (const what of [
      new ToolError('NEXUS_CONFLICT', 'sesame', { detail }),
      new ProtocolError(-1, 'sesame', detail),
    ]) {
      const outer = fixtureTool({
        name: 'outer',
        call: (_, { tools }) => tools.call('bad', {}) as Promise<never>,
      });
      const { call, records } = setUp([failing('bad', what), outer], { redact });
      const told = await call({ name: 'outer' }).catch(({ message, data }) => ({ message, data }));
      expect(JSON.stringify([told, records])).not.toContain('sesame');
      expect(JSON.stringify(told)).toContain('***');
    }
    const theirs = new AnsweredError('dev/fs', { code: -1, message: 'sesame', data: undefined });
    await expect(setUp([failing('bad', theirs)], { redact }).call({ name: 'bad' })).rejects.toMatchObject({
      ...{ whose: 'dev/fs', code: -1, message: '***' },
    });
    const answer = { content: [{ type: 'text', text: 'no sesame' }], isError: true };
    const { call } = setUp([{ ...echo, run: async () => answer }], { redact });
    expect(await call({ name: 'echo' })).toMatchObject({
      ...answer,
      content: [{ type: 'text', text: 'no ***' }],
    });
  });
});
