import { z } from 'zod';

export const maxTokens = z
  .number()
  .int()
  .min(200)
  .max(20_000)
  .describe('Longest answer, about; lists are cut to whole items');

export const Cut = z.array(z.looseObject({ field: z.string(), shown: z.number(), total: z.number() }));
