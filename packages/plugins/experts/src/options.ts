import { z } from 'zod';

export const expertsOptions = z.strictObject({
  allowTools: z
    .array(z.string().min(1).max(100))
    .max(500)
    .default([])
    .describe(
      'Tools that experts may call though they are not read-only; * stands for any characters. Without it they only read.',
    ),
  denyTools: z
    .array(z.string().min(1).max(100))
    .max(500)
    .default([])
    .describe('Tools that experts never call; wins over allowTools, and over read-only.'),
  maxSteps: z
    .int()
    .min(1)
    .max(200)
    .default(25)
    .describe('How often one turn of an expert may ask its model.'),
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
});

export type ExpertsOptions = z.output<typeof expertsOptions>;
