import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { BACKEND_NAMES, backendOf } from '../backends.ts';
import type { MemoryState } from '../index.ts';
import { Metadata } from '../metadata.ts';
import { refuseSecrets } from '../secrets/refuse-secrets.ts';

const LONGEST_METADATA = 4000;

export const memoryWrite = defineTool({
  name: 'memory_write',
  title: 'Write memory',
  description:
    'Keep something for later sessions and for the other agents. Backends: session: notes on the work at hand, gone after a day; belief: a statement held with a confidence, which the same value raises and another value weakens; agentic: a lesson learnt, found by tags, bringing the lessons it links to; typed: a record with metadata.type that does not age; adaptive: fades in a week, but each rewrite strengthens it. Writing a key again keeps the earlier versions. Returns version and confidence. Refuses secrets. Does not delete.',
  input: z.object({
    backend: z.enum(BACKEND_NAMES).describe('What kind of memory it is'),
    key: z.string().min(1).max(200).describe('A short name; writing it again makes a new version'),
    value: z.string().min(1).max(20_000).describe('The text to remember'),
    confidence: z.number().min(0).max(1).optional().describe('How sure it is; default 1, belief 0.7'),
    metadata: Metadata.optional(),
  }),
  output: z.object({
    backend: z.enum(BACKEND_NAMES),
    key: z.string(),
    outcome: z.enum(['created', 'confirmed', 'replaced']),
    version: z.number().int(),
    confidence: z.number(),
    previous: z.object({ value: z.string(), confidence: z.number() }).optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call({ backend, key, value, confidence, metadata = {} }, context: CallContext<MemoryState>) {
    refuseSecrets({ key, value, metadata });
    if (key.includes('\0') || value.includes('\0')) {
      throw invalid('key and value can’t hold U+0000 (NUL); leave it out.');
    }
    if (backendOf(backend).needsType && metadata.type === undefined) {
      throw invalid(`backend ${backend} needs metadata.type, such as {"type": "decision"}.`);
    }
    const length = JSON.stringify(metadata).length;
    if (length > LONGEST_METADATA) {
      throw invalid(`metadata has ${length} characters as JSON; at most ${LONGEST_METADATA} are kept.`);
    }
    const [memory, { writeEntry }] = await Promise.all([context.state.open(), import('../write-entry.ts')]);
    const entry = { backend, key, value, confidence, metadata, sessionId: context.session.id };
    return { backend, key, ...(await writeEntry(memory, entry)) };
  },
});

function invalid(text: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}
