import type { ExpressionBuilder } from 'kysely';
import type { BusTables } from '../tables.ts';

/** Tables in a query that calls its task row `task`. */
export type TaskScope = BusTables & { task: BusTables['bus_tasks'] };

/** The tasks that must be done before the row `task`, and are not. */
export function undoneDependencies(eb: ExpressionBuilder<TaskScope, 'task'>) {
  return eb
    .selectFrom('bus_task_dependencies as need')
    .innerJoin('bus_tasks as needed', 'needed.id', 'need.depends_on')
    .select('need.depends_on')
    .whereRef('need.task_id', '=', 'task.id')
    .where('needed.status', '!=', 'done');
}
