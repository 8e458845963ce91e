import { ToolError } from '@nexus/plugin-sdk';
import type { z } from 'zod';
import type { WorkFile } from './do-work.ts';

/** What a step is given, held to what whoever does it takes: an expression may have come to anything. */
export function fitting<Schema extends z.ZodType>(
  schema: Schema,
  work: WorkFile,
  given: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${['with', ...path].join('.')}: ${message}`);
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', `"${work.id}" can't begin: ${faults.join('; ')}.`, {
    detail: { step: work.id, faults },
  });
}
