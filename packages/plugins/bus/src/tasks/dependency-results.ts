import type { Bus } from '../bus.ts';

/** Characters of JSON that the results have together in one answer. */
const ROOM = 12_000;

/** What a task waited for, with what came of it where there is room. */
interface Dependency {
  readonly taskId: string;
  readonly title: string;
  readonly result?: unknown;
  readonly resultChars?: number;
}

/** In the order of their ends. A result that has no room is left out whole: its length is said, task_status has it. */
export async function dependencyResults({ db }: Bus, taskId: string): Promise<Dependency[]> {
  const rows = await db
    .selectFrom('bus_task_dependencies as need')
    .innerJoin('bus_tasks as needed', 'needed.id', 'need.depends_on')
    .select(['needed.id', 'needed.title', 'needed.result'])
    .where('need.task_id', '=', taskId)
    .orderBy('needed.finished_at')
    .orderBy('needed.seq')
    .execute();
  let left = ROOM;
  return rows.map(({ id, title, result }) => {
    const text = result ?? 'null';
    if (text.length > left) return { taskId: id, title, resultChars: text.length };
    left -= text.length;
    return { taskId: id, title, result: JSON.parse(text) as unknown };
  });
}
