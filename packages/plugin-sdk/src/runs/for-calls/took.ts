import type { Run } from '../runs.ts';

/** From its beginning, with what it waited for, to its end, or to when it was last changed. */
export function tookMsOf({
  createdAt,
  updatedAt,
  endedAt,
}: Pick<Run, 'createdAt' | 'updatedAt' | 'endedAt'>): number {
  return Math.max(0, Date.parse(endedAt ?? updatedAt) - Date.parse(createdAt));
}
