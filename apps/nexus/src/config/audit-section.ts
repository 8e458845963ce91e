import { z } from 'zod';

const path = z.string().min(1).max(4_000);

/** Not where git and its users keep their own work: a checkpoint is a commit without files. */
const ANCHOR_REF =
  /^refs\/(?!(?:heads|tags|remotes|notes|stash|bisect|worktree|rewritten|replace|original|prefetch)\/)[A-Za-z0-9][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_-]+)+$/;

const Anchor = z.union([
  z.strictObject({
    file: path.describe('A file, made where it is not there; relative to the config file.'),
  }),
  z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .describe('A server that takes a line by POST and gives all of them by GET.'),
    token: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Sent as a bearer token, such as $ANCHOR_TOKEN in braces.'),
  }),
  z.strictObject({
    git: path.describe('A repository, as the folder that holds `.git`; relative to the config file.'),
    ref: z
      .string()
      .max(200)
      .regex(ANCHOR_REF, {
        error:
          'it must be a whole name below refs/ that is none of git’s own, such as refs/nexus/audit: branches, tags, notes and the like hold their user’s work, and each checkpoint is a commit without files',
      })
      .optional()
      .describe('Whose commits have a checkpoint each; by default refs/nexus/audit.'),
  }),
  z.strictObject({
    machines: z
      .boolean()
      .describe('The shared database: each machine of the project bears witness to the others’ trails.'),
  }),
]);

export type AnchorSettings = z.infer<typeof Anchor>;

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
