/** The kind of run that a job is. */
export const JOB_KIND = 'nexus.job';
/** The only step of a job: what it came to is the call's outcome. */
export const CALL = 'call';
