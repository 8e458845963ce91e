import { expect, it } from 'vitest';
import type { CallContext } from '../../context.ts';
import { ToolError } from '../../tool-error.ts';
import type { Run, Runs } from '../runs.ts';
import { followRun } from './follow-run.ts';
import { startOptions } from './start-options.ts';

function callWith(also: Partial<CallContext>): CallContext {
  const quiet = () => {};
  return { session: { id: 's' }, progress: quiet, ...also } as CallContext; // all that these read of it
}

it('a key is its user’s own, and the call itself is who the run is for', () => {
  const keyOf = (user: string | undefined) =>
    startOptions(callWith({ idempotencyKey: 'k', user }), { title: 't' }).key;
  expect(new Set([keyOf(undefined), keyOf('alice'), keyOf('bob')]).size).toBe(3);
  const call = callWith({ run: { id: 'run_1', step: 'call' } });
  expect(startOptions(call, { title: ' a\n  b ' })).toEqual({ title: 'a b', live: call, caller: call });
});

it.each([
  ['its client cancels', new ToolError('NEXUS_CANCELLED', 'x'), ['alice']],
  ['its time is over', new ToolError('NEXUS_TIMEOUT', 'x'), ['alice']],
  ['its client has it aborted without a word', new Error('x'), ['alice']],
  ['the server stops', new ToolError('NEXUS_SHUTTING_DOWN', 'x'), []],
  ['another server has the call', new ToolError('NEXUS_OUTCOME_UNKNOWN', 'x'), []],
  ['only the waiting failed', undefined, []],
])('a run that is followed is ended or left when %s', async (_, reason, cancelledBy) => {
  const users: unknown[] = [];
  const failure = reason ?? new ToolError('NEXUS_STORE_UNAVAILABLE', 'away');
  const runs = {
    wait: () => Promise.reject(failure),
    cancel: async (_id: string, { user }: { user?: string } = {}) => void users.push(user),
  } as unknown as Runs;
  const signal = reason ? AbortSignal.abort(reason) : new AbortController().signal;
  const call = callWith({ signal, user: 'alice', host: { runs } as CallContext['host'] });
  await expect(followRun({ id: 'run_1' } as Run, call)).rejects.toBe(failure);
  expect(users).toEqual(cancelledBy);
});
