import { expect, it } from 'vitest';
import type { CallContext } from '../../context.ts';
import { ToolError } from '../../tool-error.ts';
import type { Run, Runs } from '../runs.ts';
import { followRun } from './follow-run.ts';

function callWith(also: Partial<CallContext>): CallContext {
  const quiet = () => {};
  return { session: { id: 's' }, progress: quiet, ...also } as CallContext; // all that these read of it
}

it.each([
  ['its client cancels', new ToolError('NEXUS_CANCELLED', 'x'), ['alice']],
  ['its time is over', new ToolError('NEXUS_TIMEOUT', 'x'), ['alice']],
  ['its client has it aborted without a word', new Error('x'), ['alice']],
  [
    'its client has gone and leaves it',
    new ToolError('NEXUS_CANCELLED', 'x', { detail: { leavesRun: true } }),
    [],
  ],
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
