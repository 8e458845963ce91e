import type { Spend } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const consensusOptions = z.strictObject({
  models: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default([])
    .describe(
      'Models that voters and reviewers are spread over, as provider:name; * stands for any characters. Without it, over all that are found.',
    ),
  ballotTimeoutMs: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .default(180_000)
    .describe('After which a voter that has not answered is in error.'),
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

export type ConsensusOptions = z.output<typeof consensusOptions>;

/** What the config lets one run spend. */
export function capOf({ maxCostUsd, maxTokens }: ConsensusOptions): Partial<Spend> | undefined {
  if (maxCostUsd === undefined && maxTokens === undefined) return undefined;
  return {
    ...(maxCostUsd === undefined ? {} : { costUsd: maxCostUsd }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
  };
}
