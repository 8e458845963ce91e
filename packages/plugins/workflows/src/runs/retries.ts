import { type ChildOptions, isToolError, type RunContext } from '@nexus/plugin-sdk';
import type { NodeFile, StepFile } from '../definition/file-schema.ts';

/** Errors that the same try would meet again. */
const FINAL = [
  'NEXUS_INVALID_ARGUMENTS',
  'NEXUS_INVALID_PATTERN',
  'NEXUS_DENIED',
  'NEXUS_PREREQUISITE',
  'NEXUS_OUTSIDE_ROOTS',
  'NEXUS_NO_MODEL',
  'NEXUS_OUTCOME_UNKNOWN',
  'NEXUS_CANCELLED',
];

export function mayHelpAgain(error: unknown): boolean {
  return !isToolError(error) || !FINAL.includes(error.code);
}

/** Errors of a call that has not begun its work. */
const BEFORE_WORK = ['NEXUS_UNAVAILABLE', 'NEXUS_RATE_LIMITED', 'NEXUS_AUDIT_UNAVAILABLE'];

/** Whether a tool that may not run twice can't have done its work: it was never reached, or never let in. */
export function cameBeforeWork(error: unknown): boolean {
  if (!isToolError(error)) return false;
  return BEFORE_WORK.includes(error.code) || error.detail?.wasWritten === false;
}

/** Why its failure is final. */
export function runsOnce(tool: string): string {
  return `${tool} states neither readOnlyHint nor idempotentHint, so it may have done its work: \`retries\` are made only where it was not reached or not let in`;
}

export const FIRST_DELAY_MS = 1_000;

/** Has a child run do the work, and another one where that failed, as often as the file says. */
export async function withRetries<Output>(
  run: RunContext,
  { title, id, retries, timeoutMs }: StepFile | NodeFile,
  start: (name: string, options: ChildOptions) => Promise<Output>,
): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const options = {
        title: title ?? id,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
      return await start(attempt === 1 ? 'work' : `work ${attempt}`, options);
    } catch (error) {
      if (attempt > retries || !mayHelpAgain(error)) throw error;
      await run.sleep(`pause ${attempt}`, FIRST_DELAY_MS * 2 ** (attempt - 1));
    }
  }
}
