import type { LookedAt } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const options = z.strictObject({
  issues: z
    .strictObject({
      repository: z
        .string()
        .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, 'must be owner/name')
        .optional()
        .describe('Where improvement_review may file issues, as owner/name; without it, nowhere.'),
    })
    .prefault({}),
});

export type ObservabilityState = z.output<typeof options> & { readonly lookedAt: LookedAt };
