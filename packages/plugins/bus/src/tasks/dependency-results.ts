import type { Bus } from '../bus.ts';
import { fittingPart } from '../page.ts';
import { resultUri } from '../resources/task-result.ts';
import { startOf } from '../start-of.ts';

/** Characters of a result that is longer than there is room. */
const START_CHARACTERS = 1_000;

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
  let left = room - JSON.stringify(named).length;
  const dependencies = named.map((least, at) => {
    const more = all[at]?.slice(1).findLast((way) => sizeOf(way) - sizeOf(least) <= left);
    left -= more ? sizeOf(more) - sizeOf(least) : 0;
    return more ?? least;
  });
  return { dependencies, ...(rows.length > named.length ? { dependenciesTotal: rows.length } : {}) };
}

/** From the shortest to the whole. */
function toWays(
  of: Pick<Dependency, 'taskId' | 'title'>,
  result: string,
): readonly [Dependency, ...Dependency[]] {
  const value = JSON.parse(result) as unknown;
  const whole = { ...of, result: value };
  const long = { ...of, resultChars: result.length, resultUri: resultUri(of.taskId) };
  if (sizeOf(whole) <= sizeOf(long)) return [whole];
  const resultStart = startOf(typeof value === 'string' ? value : result, START_CHARACTERS);
  return [long, { ...long, resultStart }, whole];
}

function sizeOf(way: Dependency): number {
  return JSON.stringify(way).length;
}
