import type { Bus } from '../bus.ts';
import { fittingPart } from '../page.ts';
import { around, toldWithin, type Ways, waysOf } from './long-value.ts';

/** What a task waited for, with what came of it: whole where there is room, else its beginning and where all of it is. */
interface Dependency {
  readonly taskId: string;
  readonly title: string;
  readonly result?: unknown;
  readonly resultChars?: number;
  readonly resultStart?: string;
  readonly resultUri?: string;
}

interface Dependencies {
  readonly dependencies?: readonly Dependency[];
  /** Where not all are named: task_status has their ids. */
  readonly dependenciesTotal?: number;
}

/** In the order of their ends. Each is named before any is told at length. @param room characters of JSON, of all together */
export async function dependencyResults({ db }: Bus, taskId: string, room: number): Promise<Dependencies> {
  const rows = await db
    .selectFrom('bus_task_dependencies as need')
    .innerJoin('bus_tasks as needed', 'needed.id', 'need.depends_on')
    .select(['needed.id', 'needed.title', 'needed.result'])
    .where('need.task_id', '=', taskId)
    .orderBy('needed.finished_at')
    .orderBy('needed.seq')
    .execute();
  if (rows.length === 0) return {};
  const all = rows.map(({ id, title, result }) => toWays({ taskId: id, title }, result ?? 'null'));
  const named = fittingPart(
    all.map(([least]) => least),
    room,
  );
  const dependencies = toldWithin(all.slice(0, named.length), room);
  return { dependencies, ...(rows.length > named.length ? { dependenciesTotal: rows.length } : {}) };
}

function toWays(of: Pick<Dependency, 'taskId' | 'title'>, result: string): Ways<Dependency> {
  return around(waysOf(result, { taskId: of.taskId, part: 'result' }), (told) => ({ ...of, ...told }));
}
