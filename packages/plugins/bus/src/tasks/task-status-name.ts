import type { Expression, ExpressionBuilder, ExpressionWrapper } from 'kysely';
import { z } from 'zod';
import { type TaskScope, undoneDependencies } from './undone-dependencies.ts';

/** What a task is as callers see it: `blocked`, `expired` and `cancelled` are derived, so that reading writes nothing. */
export const taskStatusName = z.enum(['queued', 'blocked', 'leased', 'expired', 'done', 'dead', 'cancelled']);

export type TaskStatusName = z.output<typeof taskStatusName>;

/** The status of the row `task` at `now`, as SQL to select, filter and group by. */
export function statusExpression(
  eb: ExpressionBuilder<TaskScope, 'task'>,
  now: Expression<number> | number,
): ExpressionWrapper<TaskScope, 'task', TaskStatusName> {
  return eb
    .case()
    .when(eb.and([eb('task.status', '=', 'queued'), eb.exists(undoneDependencies(eb))]))
    .then<TaskStatusName>('blocked')
    .when(eb.and([eb('task.status', '=', 'leased'), eb('task.lease_expires_at', '<=', now)]))
    .then<TaskStatusName>('expired')
    .when(eb('task.cancelled_why', 'is not', null))
    .then<TaskStatusName>('cancelled')
    .else(eb.ref('task.status'))
    .end();
}
