import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fixtureTool, READ_ONLY } from '../../test/fixture-tools.ts';
import { memoryJobs } from '../../test/memory-jobs.ts';
import { scopeOf } from '../../test/scope-of.ts';
import { ERROR_META_KEY } from '../errors/envelope.ts';
import { createRegistry } from '../registry/registry.ts';
import { createDispatcher } from './dispatcher.ts';

const quiet = () => {};
const RISKY = { ...READ_ONLY, readOnlyHint: false, destructiveHint: true, idempotentHint: false };
const input = z.object({});

type Work = (context: CallContext, isError: () => Promise<boolean>) => unknown;

/** What a client is told of a tool that calls one whose connection is lost before it answers. */
async function toldOf(work: Work, annotations = RISKY) {
  const log = { debug: quiet, info: quiet, warn: vi.fn(), error: quiet };
  const registry = createRegistry();
  registry.register(
    fixtureTool({
      ...{ name: 'pay', input, annotations: RISKY },
      call: () => Promise.reject(new ToolError('NEXUS_OUTCOME_UNKNOWN', 'The connection was lost.')),
    }),
  );
  registry.register(
    fixtureTool({
      ...{ name: 'between', input, annotations: RISKY },
      call: async (_, { tools }) => {
        await tools.call('pay', { arguments: {} });
        throw new ToolError('NEXUS_UNAVAILABLE', 'The office is shut.');
      },
    }),
  );
  registry.register(
    fixtureTool({
      ...{ name: 'wraps', input, annotations },
      call: async (_, context) => {
        const pays = async () => (await context.tools.call('pay', { arguments: {} })).isError === true;
        return work(context, pays);
      },
    }),
  );
  const dispatcher = createDispatcher({
    redact: (value) => value,
    registry,
    jobs: memoryJobs(),
    budgets: { overridesMs: {}, multiplier: 1 },
    limits: { callsPerSecond: 1, burst: 100, callsInFlight: 100, argumentCharsInFlight: 10_000 },
    permissions: { deny: [] },
    shutdown: new AbortController().signal,
    log,
    record: quiet,
    recordMismatch: quiet,
  });
  const session = scopeOf('session');
  const caller = { session, client: { name: 'tester', version: '1' }, log, roots: async () => [] };
  const params = { name: 'wraps', arguments: {} };
  const result = await dispatcher.call(caller, { params, signal: new AbortController().signal });
  const text = (result.content[0] as { text?: string } | undefined)?.text;
  return { code: Object(result._meta?.[ERROR_META_KEY]).code as unknown, text, isError: result.isError, log };
}

const shut = new ToolError('NEXUS_UNAVAILABLE', 'The office is shut.');

it.each<[string, Work]>([
  ['throws an error of its own', (_, pays) => pays().then(() => Promise.reject(shut))],
  [
    'calls it by another that does',
    ({ tools }) => tools.call('between', { arguments: {} }).then(() => Promise.reject(shut)),
  ],
])('a tool that %s after a call of unknown outcome is of unknown outcome too', async (_, work) => {
  expect(await toldOf(work)).toMatchObject({
    code: 'NEXUS_OUTCOME_UNKNOWN',
    text: expect.stringMatching(
      /^The office is shut\. wraps had called .* nobody knows .*The connection was lost\.$/s,
    ),
  });
});

it('a tool that fails after it was told of a run of unknown outcome is of unknown outcome too', async () => {
  const told = await toldOf(({ noteUnknown }) => {
    noteUnknown({ id: 'run_1', title: 'Pays', message: 'Its server died.' });
    noteUnknown({ id: 'run_2', title: 'Pays too', message: 'Nobody knows.' });
    throw shut;
  });
  expect(told).toMatchObject({
    code: 'NEXUS_OUTCOME_UNKNOWN',
    text: expect.stringMatching(
      /^The office is shut\. wraps had waited for "Pays" \(nexus:\/\/runs\/run_1\), and nobody knows .*Its server died\.$/s,
    ),
  });
});

it('a fault of such a tool is told as that, and its own words go to the log alone', async () => {
  const told = await toldOf((_, pays) => pays().then(() => Promise.reject(new Error('x of undefined'))));
  expect(told).toMatchObject({
    code: 'NEXUS_OUTCOME_UNKNOWN',
    text: expect.stringMatching(/^wraps had called pay/),
  });
  expect(told.log.warn).toHaveBeenCalledWith(
    expect.any(String),
    expect.objectContaining({ err: expect.objectContaining({ message: 'x of undefined' }) }),
  );
});

it('a tool that has got over such a call answers as ever, and so does one that may run again', async () => {
  expect((await toldOf(async (_, pays) => ({ wasLost: await pays() }))).isError).toBeUndefined();
  const again = { ...RISKY, destructiveHint: false, idempotentHint: true };
  const fails: Work = (_, pays) => pays().then(() => Promise.reject(shut));
  expect(await toldOf(fails, again)).toMatchObject({ code: 'NEXUS_UNAVAILABLE' });
});

it('a tool that waits for answers after such a call has not ended', async () => {
  const asks = new ToolError('NEXUS_INPUT_REQUIRED', 'Go on?', { detail: { state: 's', requests: {} } });
  const told = await toldOf((_, pays) => pays().then(() => Promise.reject(asks)));
  expect(told).toMatchObject({ code: 'NEXUS_INPUT_REQUIRED' });
});
