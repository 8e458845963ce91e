import type { RunDetail, RunStep } from '@nexus/plugin-sdk';

/** A visit of a node on record, from which a run can be done again. */
export interface Checkpoint {
  /** `<node>#<visit>`. */
  readonly id: string;
  readonly node: string;
  readonly visit: number;
  readonly status: RunStep['status'];
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** The names of its steps begin so: node, visit, and which item. */
const OF_VISIT = /^(([A-Za-z0-9_-]+)(?:\.items)?#(\d+))(?:\[\d+\])?\//;

/** The visits of a run and of those that it went on in, in the order of their beginning. */
export function checkpointsOf(run: RunDetail): Checkpoint[] {
  const visits = new Map<string, Checkpoint>();
  for (const { name, status, startedAt, endedAt } of familyOf(run).flatMap(({ steps }) => steps)) {
    const [, , node, visit] = OF_VISIT.exec(name) ?? [];
    if (node === undefined) continue;
    const id = `${node}#${visit}`;
    const before = visits.get(id);
    const isOver = endedAt !== undefined && (before === undefined || before.endedAt !== undefined);
    visits.set(id, {
      id,
      node,
      visit: Number(visit),
      status: before && status === 'completed' ? before.status : status,
      startedAt: before?.startedAt ?? startedAt,
      ...(isOver ? { endedAt } : {}),
    });
  }
  return [...visits.values()];
}

/** A long graph goes on in child runs. */
function familyOf(run: RunDetail): RunDetail[] {
  const next = run.steps.find(({ name }) => name === 'continued')?.childId;
  const child = run.children.find(({ id }) => id === next);
  return child ? [run, ...familyOf(child)] : [run];
}
