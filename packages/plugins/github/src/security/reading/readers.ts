import { dangersOf, type WorkflowFacts } from './dangers.ts';
import { parseWorkflow } from './parse-workflow.ts';

export const readers = {
  /** @throws {ToolError} NEXUS_INVALID_ARGUMENTS where the text is no workflow */
  workflow: (text: string): WorkflowFacts => dangersOf(parseWorkflow(text)),
};
