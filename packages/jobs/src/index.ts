export type { RecordedCall } from './adopt-jobs.ts';
export { createJobs, type DurableJobs, type JobsOptions } from './jobs.ts';
