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
  github: z
    .strictObject({
      apiUrl: z
        .url({ protocol: /^https?$/ })
        .default('https://api.github.com')
        .describe('Where pull requests are read; of GitHub Enterprise, its /api/v3.'),
      token: z
        .string()
        .min(1)
        .max(1_000)
        .optional()
        .describe(`What pr_review reads private repositories and posts with, as \${GITHUB_TOKEN}.`),
    })
    .prefault({})
    .describe('Where pr_review reads and comments on pull requests.'),
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
