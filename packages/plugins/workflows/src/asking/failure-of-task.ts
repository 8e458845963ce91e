import { isToolError, type ToolError } from '@nexus/plugin-sdk';

/** What another task would not meet: this one failed, and the others are worth going on with. */
const OF_ONE_TASK = ['NEXUS_MODEL_REFUSED', 'NEXUS_MODEL_OUTPUT', 'NEXUS_MODEL_REJECTED'];

/** The failure as an answer where it is one task's alone. @throws any other, which is the run's */
export function failureOfTask(error: unknown): ToolError {
  if (isToolError(error) && OF_ONE_TASK.includes(error.code)) return error;
  throw error;
}
