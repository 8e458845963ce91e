import { ToolError, type ToolHints } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool, READ_ONLY } from '../../test/fixture-tools.ts';
import { memoryJobs } from '../../test/memory-jobs.ts';
import { scopeOf } from '../../test/scope-of.ts';
import { createRegistry } from '../registry/registry.ts';
import type { CallAudit } from './audited.ts';
import { createDispatcher } from './dispatcher.ts';

const quiet = () => {};
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const WRITES: ToolHints = { ...READ_ONLY, readOnlyHint: false, idempotentHint: false };

/** A dispatcher whose audit trail and tools write down what happens, in its order. */
function setUp(begin?: CallAudit['begin']) {
  const events: string[] = [];
  const registry = createRegistry();
  const input = z.object({});
  const tool = (name: string, annotations: ToolHints, fails = false) =>
    registry.register(
      fixtureTool({
        name,
        input,
        annotations,
        call: async () => {
          events.push(`${name} runs`);
          if (fails) throw new ToolError('NEXUS_NOT_FOUND', 'It is not there.');
          return { is: 'done' };
        },
      }),
    );
  tool('read', READ_ONLY);
  tool('write', WRITES);
  tool('fail', WRITES, true);
  registry.register(
    fixtureTool({
      name: 'outer',
      input,
      annotations: WRITES,
      call: async (_, { tools }) => tools.call('write', { arguments: {} }),
    }),
  );
  const audit: CallAudit = {
    wants: ({ hints }) => !hints.readOnlyHint,
    begin:
      begin ??
      ((call) => {
        events.push(`${call.tool.name} begins`);
        return (failure) => void events.push(`${call.tool.name} ends ${failure?.code ?? 'well'}`);
      }),
  };
  const dispatcher = createDispatcher({
    redact: (value) => value,
    registry,
    jobs: memoryJobs(),
    budgets: { overridesMs: {}, multiplier: 1 },
    limits: { callsPerSecond: 1, burst: 100, callsInFlight: 1, argumentCharsInFlight: 10_000 },
    permissions: { deny: [] },
    shutdown: new AbortController().signal,
    log: silent,
    record: quiet,
    recordMismatch: quiet,
    audit,
  });
  const caller = {
    session: scopeOf('session'),
    client: { name: 'tester', version: '1' },
    log: silent,
    roots: async () => [],
  };
  const call = (name: string, args: object = {}) =>
    dispatcher.call(caller, { params: { name, arguments: args }, signal: new AbortController().signal });
  return { call, events };
}

it('writes a call down before its tool runs, and how it ended', async () => {
  const { call, events } = setUp();
  await call('write');
  await call('fail');
  expect(events).toEqual([
    'write begins',
    'write runs',
    'write ends well',
    'fail begins',
    'fail runs',
    'fail ends NEXUS_NOT_FOUND',
  ]);
});

it('writes down what a tool calls, and nothing that only reads or is refused by its arguments', async () => {
  const { call, events } = setUp();
  await call('read');
  await call('write', { odd: 1 });
  expect(events).toEqual(['read runs']);
  await call('outer');
  expect(events.slice(1)).toEqual([
    'outer begins',
    'write begins',
    'write runs',
    'write ends well',
    'outer ends well',
  ]);
});

it.each([
  ['at once', () => refuse()],
  ['after a while', () => Promise.resolve().then(refuse)],
] as const)('runs no tool whose call can’t be written down: told %s', async (_, begin) => {
  const { call, events } = setUp(begin);
  // Again: what was refused takes no place among the calls in flight.
  for (const _again of [1, 2]) expect((await call('write')).isError).toBe(true);
  expect(events).toEqual([]);
});

function refuse(): never {
  throw new ToolError('NEXUS_AUDIT_UNAVAILABLE', 'The disk is full.');
}
