/** The longest that `get_job_result` waits. */
const LONGEST_WAIT_MS = 50_000;

/** Tells a model how it gets a job's result. */
export function howToWait(jobId: string, waitMs: number): string {
  const args = JSON.stringify({ jobId, waitMs: Math.min(LONGEST_WAIT_MS, waitMs) });
  return `Call get_job_result (by use_tool where it is not listed) with ${args} until the job has ended.`;
}
