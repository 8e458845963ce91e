import { z } from 'zod';
import { commandOptions } from './commands/options.ts';

export const workflowsOptions = z.strictObject({
  maxCostUsd: z
    .number()
    .positive()
    .max(100_000)
    .optional()
    .describe('What one run may spend, in US dollars; there it pauses and can be resumed with a higher cap.'),
  maxTokens: z
    .int()
    .positive()
    .optional()
    .describe('What one run may spend, in tokens, in and out together; there it pauses.'),
  maxSteps: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('How often one conversation of a dev pipeline may ask its model.'),
  ...commandOptions,
});

export type WorkflowsOptions = z.output<typeof workflowsOptions>;
