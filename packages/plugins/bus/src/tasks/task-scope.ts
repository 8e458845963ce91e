import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { TaskScope } from './undone-dependencies.ts';

/** The row `task` has this label, or one below it. */
export function belongsTo(eb: ExpressionBuilder<TaskScope, 'task'>, label: string) {
  const below = `${label}/`;
  return eb.or([
    eb('task.label', '=', label),
    sql<SqlBool>`substr(${eb.ref('task.label')}, 1, ${sql.lit(below.length)}) = ${below}`,
  ]);
}

/** Each word stands in the title, the label or the holder's name of the row `task`; case is ignored. */
export function mentions(eb: ExpressionBuilder<TaskScope, 'task'>, query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return eb.and(
    words.map((word) => {
      const pattern = `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
      return sql<SqlBool>`lower(${eb.ref('task.title')} || ' ' || coalesce(${eb.ref('task.label')}, '') || ' ' ||
        coalesce(${eb.ref('task.lease_worker')}, '')) like ${pattern} escape '\\'`;
    }),
  );
}
