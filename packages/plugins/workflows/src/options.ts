import type { Spend } from '@nexus/plugin-sdk';
import { z } from 'zod';

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
});

export type WorkflowsOptions = z.output<typeof workflowsOptions>;

/** What the config lets one run spend. */
export function capOf({ maxCostUsd, maxTokens }: WorkflowsOptions): Partial<Spend> | undefined {
  if (maxCostUsd === undefined && maxTokens === undefined) return undefined;
  return {
    ...(maxCostUsd === undefined ? {} : { costUsd: maxCostUsd }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
  };
}
