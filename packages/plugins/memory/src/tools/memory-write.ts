import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { BACKEND_NAMES, backendOf } from '../backends.ts';
import type { MemoryState } from '../index.ts';
import { parseMetadata } from '../metadata.ts';
import { refuseSecrets } from '../refuse-secrets.ts';

export const memoryWrite = defineTool({
  name: 'memory_write',
  title: 'Write memory',
  description:
    'Keep something for later sessions and other agents. Backends: session: notes on the work at hand, gone after a day; belief: a statement with a confidence, raised by the same value and lowered by another; agentic: a lesson learnt, which brings the lessons it links to; typed: a record with metadata.type that does not age; adaptive: fades in a week, each rewrite strengthens it. Writing a key again keeps earlier versions. Refuses secrets.',
  input: z.object({
    backend: z.enum(BACKEND_NAMES).describe('What kind of memory it is'),
    key: z.string().min(1).max(200).describe('A short name; writing it again makes a new version'),
    value: z.string().min(1).max(20_000).describe('The text to remember'),
    confidence: z.number().min(0).max(1).optional().describe('How sure it is; default 1, belief 0.7'),
    metadata: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('At most 4000 characters; known: type, tags (string[]), links (string[] of agentic keys)'),
  }),
  output: z.object({
    outcome: z.enum(['created', 'confirmed', 'replaced']),
    version: z.number().int(),
    confidence: z.number(),
    previous: z.looseObject({ value: z.string() }).optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call(input, { state, session, host }: CallContext<MemoryState>) {
    refuseSecrets(input, host.secrets);
    const { backend, key, value, confidence } = input;
    const metadata = parseMetadata(input.metadata);
    if (backendOf(backend).needsType && metadata.type === undefined) {
      throw invalid(`backend ${backend} needs metadata.type, such as {"type": "decision"}.`);
    }
    const [memory, { writeEntry }] = await Promise.all([state.open(), import('../write-entry.ts')]);
    const entry = { backend, key, value, confidence, metadata, sessionId: session.id };
    return writeEntry(memory, entry);
  },
});

function invalid(text: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}
