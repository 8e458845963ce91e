import { z } from 'zod';

/** How a model says what must not go through, whatever others say. */
export const objectionField = z
  .object({
    claim: z.string().min(1).max(1_000).describe('What is wrong.'),
    evidence: z
      .string()
      .min(1)
      .max(2_000)
      .describe('path:line with its words, or a command with its output.'),
  })
  .nullish()
  .describe('Null where nothing must keep this from going through.');

/** What a voter says of each objection of others, in their order. */
export type ObjectionAnswers = readonly { readonly holds: boolean; readonly because: string }[];

/** How it says that. */
export const answersTo = (count: number) =>
  z
    .array(z.object({ because: z.string().min(1).max(1_000), holds: z.boolean() }))
    .length(count)
    .describe('One for each objection, in their order.');
