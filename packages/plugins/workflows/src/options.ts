import { capOptions } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { commandOptions } from './commands/options.ts';

export const workflowsOptions = z.strictObject({
  ...capOptions(z),
  maxSteps: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('How often one conversation of a dev pipeline may ask its model.'),
  ...commandOptions,
});

export type WorkflowsOptions = z.output<typeof workflowsOptions>;
