import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { memoryJobs } from '../../test/memory-jobs.ts';
import { scopeOf } from '../../test/scope-of.ts';
import { ERROR_META_KEY } from '../errors/envelope.ts';
import { createRegistry } from '../registry/registry.ts';
import type { CallRequest } from './call-request.ts';
import { createDispatcher } from './dispatcher.ts';
import type { WaitForStore } from './run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quiet = () => {};
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const INTERACTIVE_MS = 60_000;
const ofStep = { run: { id: 'run', step: 'step' } };

/** A dispatcher whose tools are told of a store that is away, unless they wait for it. */
function setUp() {
  let isBack: () => void = quiet;
  const back = new Promise<void>((resolve) => {
    isBack = resolve;
  });
  const waitForStore: WaitForStore = vi.fn(async (call, work) => {
    const goOn = call.hold();
    await back;
    goOn();
    return work();
  });
  const registry = createRegistry();
  const input = z.object({});
  registry.register(fixtureTool({ name: 'write', input, call: async () => ({ is: 'written' }) }));
  registry.register(fixtureTool({ name: 'hang', input, call: () => new Promise<never>(quiet) }));
  registry.register(
    fixtureTool({
      name: 'outer',
      input,
      call: async (_, { tools }) => tools.call('write', { arguments: {} }),
    }),
  );
  registry.register(fixtureTool({ name: 'long', input, isLong: true, call: async () => ({ is: 'done' }) }));
  const dispatcher = createDispatcher({
    redact: (value) => value,
    registry,
    jobs: memoryJobs(),
    budgets: { overridesMs: {}, multiplier: 1 },
    limits: { callsPerSecond: 1, burst: 100, callsInFlight: 100, argumentCharsInFlight: 10_000 },
    permissions: { deny: [] },
    shutdown: new AbortController().signal,
    log: silent,
    record: quiet,
    recordMismatch: quiet,
    waitForStore,
  });
  const caller = {
    session: scopeOf('session'),
    client: { name: 'tester', version: '1' },
    log: silent,
    roots: async () => [],
  };
  const call = (name: string, also: Partial<CallRequest> = {}, args = {}) =>
    dispatcher.call(caller, {
      params: { name, arguments: args },
      signal: new AbortController().signal,
      ...also,
    });
  return { call, waitForStore, isBack: () => isBack() };
}

it('a call that a step makes waits for the store, and its time stands still meanwhile', async () => {
  const { call, isBack } = setUp();
  const written = call('write', ofStep);
  await vi.advanceTimersByTimeAsync(3 * INTERACTIVE_MS);
  isBack();
  expect((await written).structuredContent).toEqual({ is: 'written' });
});

it('what such a call uses of its own time ends it as ever', async () => {
  const { call, isBack } = setUp();
  const hanging = call('hang', ofStep);
  await vi.advanceTimersByTimeAsync(3 * INTERACTIVE_MS);
  isBack();
  await vi.advanceTimersByTimeAsync(INTERACTIVE_MS - 1_000);
  const ended = vi.fn();
  void hanging.then(ended);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await hanging)._meta?.[ERROR_META_KEY]).toMatchObject({ code: 'NEXUS_TIMEOUT' });
});

it('so do the call of a job and what a waiting call calls, and none that a client waits by', async () => {
  const { call, isBack, waitForStore } = setUp();
  isBack();
  await call('write');
  await call('outer');
  expect(waitForStore).not.toHaveBeenCalled();
  await call('outer', ofStep);
  expect(waitForStore).toHaveBeenCalledTimes(2);
  await call('long', {}, { idempotencyKey: 'key' });
  expect(waitForStore).toHaveBeenCalledTimes(3);
});
