import { z } from 'zod';

/** A declaration as answers give it. */
export const FileSymbol = z.object({
  file: z.string(),
  name: z.string(),
  kind: z.string(),
  signature: z.string(),
  line: z.number(),
  endLine: z.number(),
  parent: z.string().nullable(),
});
