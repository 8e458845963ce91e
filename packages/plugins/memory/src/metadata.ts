import { ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';

const LONGEST = 4000;

/** What a caller says about an entry: the three that mean something here, and anything of its own. */
const Metadata = z.looseObject({
  /** Kind of record, such as `decision`. */
  type: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, ".", "_" and "-" only, at most 64')
    .optional(),
  /** Words that the entry is also found by. */
  tags: z.array(z.string().min(1).max(64)).max(20).optional(),
  /** Keys of related entries; the agentic backend follows them. */
  links: z.array(z.string().min(1).max(200)).max(20).optional(),
});
export type Metadata = z.output<typeof Metadata>;

/**
 * Checked here and not in the tool's schema, where it would take every client a hundred tokens.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS naming each fault
 */
export function parseMetadata(value: Readonly<Record<string, unknown>>): Metadata {
  const parsed = Metadata.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `metadata.${path.join('.')}: ${message}`);
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', faults.join('; '));
  }
  const { length } = JSON.stringify(value);
  if (length <= LONGEST) return parsed.data;
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    `metadata has ${length} characters as JSON; at most ${LONGEST} are kept.`,
  );
}

/** Our own JSON, written from a checked value. */
export function readMetadata(json: string): Metadata {
  return Metadata.parse(JSON.parse(json));
}
