import { ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { errorText } from './errors.ts';
import { addOutsideEvent, tell } from './events.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';

/** Gives a run up: queued for whoever comes next, waiting for what its steps wait for, or paused. */
export function leaveRun(
  on: RunDatabase,
  token: RunToken,
  how: {
    readonly status: 'queued' | 'waiting' | 'paused';
    readonly error?: unknown;
    readonly event?: string;
  },
): OwnerChange<void> {
  const { status, error } = how;
  const { now } = on.store;
  return {
    isLast: true,
    async work(trx) {
      let wake_at: unknown = status === 'queued' ? now : null;
      if (status === 'waiting') {
        const open = await openSteps(trx, on, token.runId);
        const due = open.flatMap((step) => (step.wake_at === null ? [] : Number(step.wake_at)));
        // With nothing open, there is nothing that would wake it.
        const mayGoOn = open.length === 0 || open.some((step) => step.status !== 'waiting');
        wake_at = mayGoOn ? now : due.length > 0 ? Math.min(...due) : null;
      }
      if (how.event) await addOutsideEvent(trx, on, token.runId, { type: how.event });
      await trx
        .updateTable('runs_runs')
        .set({
          status,
          owner: null,
          wake_at: wake_at as never,
          error: error === undefined ? null : errorText(error),
        })
        .where('id', '=', token.runId)
        .execute();
      await tell(trx, on, token.runId);
    },
  };
}

/**
 * Locked on Postgres: whoever ends a child tells the parent's step first and then wakes the parent, which it passes over
 * while it still sees it running. So the end comes before this is read, or sees the run waiting.
 */
function openSteps(trx: RunTransaction, { store }: RunDatabase, runId: string) {
  return trx
    .selectFrom('runs_steps')
    .select(['status', 'wake_at'])
    .where('run_id', '=', runId)
    .where('end_seq', 'is', null)
    .$if(store.dialect === 'postgres', (query) => query.forUpdate())
    .execute();
}

/** What the last owner was in the middle of: nobody knows how far it came. */
export async function closeInterrupted(trx: RunTransaction, on: RunDatabase, runId: string): Promise<void> {
  const running = await trx
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .where('status', '=', 'running')
    .execute();
  for (const { name, attempt, is_repeatable } of running) {
    await addOutsideEvent(trx, on, runId, { type: 'step.interrupted', step: name, attempt });
    const change = is_repeatable
      ? { status: 'waiting' as const, wake_at: on.store.now }
      : {
          status: 'failed' as const,
          error: errorText(outcomeUnknown()),
          ended_at: on.store.now,
          end_seq: sql<number>`(select max(seq) from runs_events where run_id = ${runId})`,
        };
    await trx
      .updateTable('runs_steps')
      .set(change)
      .where('run_id', '=', runId)
      .where('name', '=', name)
      .execute();
  }
}

export function outcomeUnknown(): ToolError {
  return new ToolError(
    'NEXUS_OUTCOME_UNKNOWN',
    'The server that ran this ended before the work did, and doing it again could do it twice. Look at its effect first.',
  );
}
