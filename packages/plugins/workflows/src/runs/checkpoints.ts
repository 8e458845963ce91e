import { type RunDetail, ToolError } from '@nexus/plugin-sdk';
import { hintOf } from '../nearest.ts';

/** A visit of a node on record, from which a run can be done again. */
export interface Checkpoint {
  /** `<node>#<visit>`. */
  readonly id: string;
  readonly node: string;
  readonly visit: number;
  readonly status: 'completed' | 'failed' | 'running' | 'waiting';
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

/**
 * The first step of a checkpoint.
 * @throws {ToolError} NEXUS_NOT_FOUND with those that there are
 */
export function stepOfCheckpoint(run: RunDetail, checkpoint: string): string {
  const step = run.steps.find(({ name }) => {
    const [, , node, visit] = OF_VISIT.exec(name) ?? [];
    return (
      node !== undefined && (checkpoint === `${node}#${visit}` || (checkpoint === node && visit === '1'))
    );
  });
  if (step) return step.name;
  const ids = checkpointsOf({ ...run, children: [] }).map(({ id }) => id);
  const text = `Run ${run.id} has no checkpoint "${checkpoint}"${hintOf(checkpoint, ids)}.`;
  throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { checkpoint, checkpoints: ids } });
}
