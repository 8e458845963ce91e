import type { z } from 'zod';

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
