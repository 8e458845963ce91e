import { z } from 'zod';

export const name = z
  .string()
  .min(1)
  .max(500)
  .describe('A name of list_workflows, or a path in the project.');

export const inputs = z
  .record(z.string().max(100), z.unknown())
  .default({})
  .describe('Its inputs, by name; data, never expressions.');

export const dryRun = z
  .boolean()
  .default(false)
  .describe('Runs nothing; answers with plan, missing inputs and faults.');

export const strategy = z.string().min(1).max(100).optional().describe('As strategy of consensus_vote.');

export const timeoutMs = z
  .int()
  .min(1_000)
  .max(86_400_000)
  .optional()
  .describe('After which it fails; what is done is kept.');

export const digest = z
  .string()
  .max(64)
  .optional()
  .describe('As list_workflows has it; another file is refused.');

/** What they hold is said in words: lists of tools stay short. */
export const rows = z.array(z.unknown());

export const faultRow = z.object({
  line: z.int(),
  column: z.int(),
  path: z.string(),
  message: z.string(),
});

/** An input as a workflow file has it. */
export const inputRow = z.looseObject({ name: z.string(), type: z.string(), description: z.string() });
