import type { FinishedJob, Job, JobStatus } from '@nexus/plugin-sdk';
import type { Ending } from './ending.ts';
import type { JobRow } from './tables.ts';

/** Statuses of a job that has not ended. */
export const UNFINISHED = ['working', 'input_required'] as const satisfies readonly JobStatus[];

export function isUnfinished({ status }: Pick<JobRow, 'status'>): boolean {
  return UNFINISHED.some((each) => each === status);
}

export function toJob(row: JobRow): Job {
  return {
    jobId: row.id,
    tool: row.tool,
    status: row.status,
    ...(row.status_message === null ? {} : { statusMessage: row.status_message }),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    ttlMs: row.expires_at - row.created_at,
  };
}

export function toFinishedJob(row: JobRow): FinishedJob {
  const ending = endingOfRow(row);
  return { ...toJob(row), ...ending };
}

export function endingOfRow(row: JobRow): Ending | undefined {
  return row.ending === null ? undefined : (JSON.parse(row.ending) as Ending); // written by this package
}
