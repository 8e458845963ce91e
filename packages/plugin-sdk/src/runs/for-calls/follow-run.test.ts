import { expect, it } from 'vitest';
import type { CallContext } from '../../context.ts';
import { ToolError } from '../../tool-error.ts';
import type { Run, RunEvent, Runs } from '../runs.ts';
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

it('a run that failed says what it cost all the same', async () => {
  const ended = {
    ...{ id: 'run_1', status: 'failed', error: { code: 'NEXUS_NO_MODEL', message: 'None is there.' } },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:02.000Z' },
    usage: { calls: 2, inputTokens: 30, outputTokens: 4, cachedInputTokens: 0, costUsd: 0.5 },
  } as unknown as Run; // what is read of it
  const call = callWith({
    signal: new AbortController().signal,
    host: { runs: { wait: async () => ended } as unknown as Runs } as CallContext['host'],
  });
  await expect(followRun(ended, call)).rejects.toThrow(
    /^None is there\.\n[^\n]*\nSo far: 2 model calls; 30 tokens in, 4 out; \$0\.5000; 2\.0 s$/,
  );
});

it('a client is told in whole numbers how far the outermost run is that counts, and of others in words', async () => {
  const said: unknown[][] = [];
  const count = (runId: string, done: number, total: number) => ({
    ...{ runId, message: `${done} of ${total}` },
    ...{ done, total },
  });
  const runs: Pick<Runs, 'wait'> = {
    async wait(id, { onCount, onEvent }) {
      onCount?.(count('run_2', 0, 3));
      onCount?.(count('run_3', 1, 9));
      onEvent?.({ runId: 'run_2', seq: 1, type: 'step.started', step: 'reads', at: '' });
      onCount?.(count('run_2', 1, 3));
      return { id, status: 'completed' } as Run;
    },
  };
  const call = callWith({
    signal: new AbortController().signal,
    host: { runs } as CallContext['host'],
    progress: (...report) => void said.push(report),
  });
  await followRun({ id: 'run_1' } as Run, call);
  expect(said).toEqual([['run run_1'], ['0 of 3', 0, 3], ['reads'], ['1 of 3', 1, 3]]);
});

it('a client is told of each step by its title, under that of the step which its run is for', async () => {
  const said: unknown[][] = [];
  const event = (runId: string, seq: number, also: object) =>
    ({ ...{ runId, seq, at: '' }, ...also }) as RunEvent;
  const runs: Pick<Runs, 'wait'> = {
    async wait(id, { onEvent }) {
      onEvent?.(event('run_1', 1, { type: 'run.created' }));
      onEvent?.(event('run_1', 2, { type: 'step.started', step: 'inner#1/call', title: 'inner' }));
      const data = { parentId: 'run_1', parentStep: 'inner#1/call' };
      onEvent?.(event('run_2', 1, { type: 'run.created', data }));
      onEvent?.(event('run_2', 2, { type: 'step.started', step: 'boom#1/call', title: 'boom' }));
      onEvent?.(event('run_2', 3, { type: 'step.failed', step: 'boom#1/call' }));
      onEvent?.(event('run_1', 3, { type: 'step.failed', step: 'inner#1/call' }));
      return { id, status: 'completed' } as Run;
    },
  };
  const call = callWith({
    signal: new AbortController().signal,
    host: { runs } as CallContext['host'],
    progress: (...report) => void said.push(report),
  });
  await followRun({ id: 'run_1' } as Run, call);
  expect(said.flat()).toEqual(['run run_1', 'inner', 'inner: boom', 'inner: boom failed', 'inner failed']);
});
