import { capOptions } from '@nexus/plugin-sdk';
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
  checks: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[a-z][a-z0-9-]{0,31}$/)
          .describe('As reviewers and answers call it.'),
        command: z
          .array(z.string().min(1).max(1_000))
          .min(1)
          .max(50)
          .describe('Program and arguments; no shell.'),
        timeoutMs: z.int().min(1_000).max(3_600_000).default(300_000).describe('After which it is ended.'),
      }),
    )
    .max(20)
    .default([])
    .describe(
      'The project’s own checks that pr_review may run, where the project holds the change under review. None are run unless they stand here.',
    ),
  ...capOptions(z),
});

export type ConsensusOptions = z.output<typeof consensusOptions>;
