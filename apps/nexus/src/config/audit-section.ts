import { z } from 'zod';

const Anchor = z.strictObject({
  file: z
    .string()
    .min(1)
    .max(4_000)
    .describe('A file, made where it is not there; relative to the config file.'),
});

/** What is put on record of what is done, and how that is kept from being changed: one section of the config. */
export const AuditSection = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether calls that may change something are put on record.'),
    contents: z
      .enum(['none', 'committed', 'full'])
      .default('committed')
      .describe(
        'What is kept of arguments: nothing, a salted commitment that a known text can be held against, or the text beside it.',
      ),
    servers: z
      .enum(['stated', 'all'])
      .default('stated')
      .describe(
        'Which calls of tools of other servers are put on record: those whose server does not state that they only read, or all, whatever it states.',
      ),
    onFailure: z
      .enum(['refuse', 'allow'])
      .default('refuse')
      .describe('What becomes of a call that can’t be put on record, such as when the disk is full.'),
    keepDays: z
      .int()
      .min(1)
      .max(36_500)
      .default(365)
      .describe('How long what a process wrote is kept after it ended.'),
    checkpointMinutes: z
      .number()
      .min(0.1)
      .max(10_080)
      .default(10)
      .describe('How long events wait at most for the next signed checkpoint.'),
    keyFile: z
      .string()
      .min(1)
      .max(4_000)
      .optional()
      .describe('The key that signs checkpoints; by default audit-key.pem in the user’s config directory.'),
    anchors: z
      .array(Anchor)
      .max(10)
      .default([])
      .describe('Where checkpoints are also put, out of reach of who can change the trail.'),
  })
  .prefault({})
  .describe('The audit trail: docs/audit.md.');
