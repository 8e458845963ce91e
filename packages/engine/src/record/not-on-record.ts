import { ToolError } from '@nexus/plugin-sdk';
import { isJobId } from './job-kind.ts';

/** What whoever asks for a run, or a job, by an id that has no row is told. */
export function notOnRecord(id: string): ToolError {
  const what = isJobId(id) ? 'job' : 'run';
  return new ToolError('NEXUS_NOT_FOUND', `No ${what} ${id}: it never was, or its time on record is over.`);
}
