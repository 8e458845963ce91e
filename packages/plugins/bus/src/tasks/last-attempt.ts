import type { Bus } from '../bus.ts';
import { toMoment } from '../fields.ts';
import { outcomeOf } from './outcomes.ts';

/** How the task's lease before this one ended, and why: a hand-over says to whom first. Undefined where it is the first. */
export async function lastAttempt({ db }: Bus, taskId: string) {
  const row = await db
    .selectFrom('bus_attempts')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('ended_at', 'desc')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { worker, reason } = row;
  return {
    worker,
    outcome: outcomeOf(row),
    endedAt: toMoment(row.ended_at),
    ...(reason === null ? {} : { reason }),
  };
}
