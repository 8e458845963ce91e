/** The kind of run that a job is. */
export const JOB_KIND = 'nexus.job';
/** The only step of a job: what it came to is the call's outcome. */
export const CALL = 'call';

/** Whether an id is a job's, and no other run's. */
export function isJobId(id: string): boolean {
  return id.startsWith('job_');
}
