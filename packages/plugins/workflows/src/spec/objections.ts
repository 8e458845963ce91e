import { z } from 'zod';

/** Where the answer to one requirement speaks against one that was judged to be met; as a model says it. */
export const Objections = z
  .array(
    z.object({
      requirement: z.string().min(1).max(48).describe('Id of the one that was judged to be met.'),
      by: z.string().min(1).max(48).describe('Id of the one whose answer speaks against it.'),
      words: z.string().min(10).max(1_000).describe('The words of that answer, exactly.'),
    }),
  )
  .max(20)
  .describe('Empty where there are none, which is the usual case.');

export type Objection = z.output<typeof Objections>[number];
