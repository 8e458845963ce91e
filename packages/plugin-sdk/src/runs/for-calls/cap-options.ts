import type { z } from 'zod';
import type { Spend } from '../../models/ledger.ts';

/**
 * The part of a plugin's options that `capOf` reads, to be spread into them.
 * @param zod the plugin's own: this package loads none
 */
export function capOptions(zod: typeof z) {
  return {
    maxCostUsd: zod
      .number()
      .positive()
      .max(100_000)
      .optional()
      .describe(
        'What one run may spend, in US dollars; there it pauses and can be resumed with a higher cap.',
      ),
    maxTokens: zod
      .int()
      .positive()
      .optional()
      .describe('What one run may spend, in tokens, in and out together; there it pauses.'),
  };
}

/** What a plugin's options say that one run may spend, as the `cap` of a tool that is a run takes it. */
export function capOf({
  maxCostUsd,
  maxTokens,
}: {
  readonly maxCostUsd?: number | undefined;
  readonly maxTokens?: number | undefined;
}): Partial<Spend> | undefined {
  if (maxCostUsd === undefined && maxTokens === undefined) return undefined;
  return {
    ...(maxCostUsd === undefined ? {} : { costUsd: maxCostUsd }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
  };
}
