import { z } from 'zod';

/** What a caller says about an entry: the three that mean something here, and anything of its own. */
export const Metadata = z
  .looseObject({
    type: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
      .optional()
      .describe('Kind of record, such as decision; required by typed'),
    tags: z.array(z.string().min(1).max(64)).max(20).optional().describe('Words it is also found by'),
    links: z
      .array(z.string().min(1).max(200))
      .max(20)
      .optional()
      .describe('agentic: keys of related lessons'),
  })
  .describe('JSON, at most 4000 characters');
export type Metadata = z.output<typeof Metadata>;

/** Our own JSON, written from a checked value. */
export function readMetadata(json: string): Metadata {
  return Metadata.parse(JSON.parse(json));
}
