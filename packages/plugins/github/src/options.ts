import { z } from 'zod';

export const options = z.strictObject({
  writeTo: z
    .array(
      z
        .string()
        .regex(/^[\w.*-]{1,100}\/[\w.*-]{1,100}$/, 'must be owner/name, * standing for any characters'),
    )
    .max(100)
    .default([])
    .describe(
      'Repositories, as owner/name or owner/*, to which issue_triage may write labels and a comment when it is called with dryRun false. None by default.',
    ),
});
