import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { BACKEND_NAMES, backendOf } from '../backends.ts';
import { saidConfidence } from '../confidence.ts';
import type { MemoryState } from '../index.ts';
import { parseMetadata } from '../metadata.ts';
import { refuseSecrets } from '../refuse-secrets.ts';
import { seenId } from '../seen-id.ts';

export const memoryWrite = defineTool({
  name: 'memory_write',
  title: 'Write memory',
  description:
    'Keep something for later sessions and other agents. Writing a key again keeps earlier versions. Refuses secrets.',
  input: z.object({
    backend: z
      .enum(BACKEND_NAMES)
      .describe(
        'What it is. typed: a record (decision, risk; needs metadata.type), does not age. belief: a claim that may be wrong; said again it gains, another value replaces it. agentic: a lesson learnt, found with those it links to. adaptive: a habit, fades in a week unless written again. session: a note on the work at hand, gone after a day.',
      ),
    key: z.string().min(1).max(200).describe('A short name'),
    value: z.string().min(1).max(20_000).describe('The text to remember'),
    confidence: z.number().min(0).max(1).optional().describe('How sure it is; default 1, belief 0.7'),
    metadata: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('At most 4000 characters; known: type, tags (string[]), links (string[] of agentic keys)'),
  }),
  aliases: {
    tags: 'metadata.tags',
    type: 'metadata.type',
    links: 'metadata.links',
    text: 'value',
    content: 'value',
    name: 'key',
  },
  output: z.object({
    outcome: z.enum(['created', 'confirmed', 'replaced']),
    version: z.number().int(),
    confidence: z.number(),
    previous: z.looseObject({ value: z.string() }).optional(),
    elsewhere: z.array(z.string()).optional().describe('Other backends that have the key.'),
  }),
  text: writtenText,
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
    const written = await writeEntry(memory, entry);
    state.lookedAt.add(session, [seenId(backend, key, written.version)]);
    return written;
  },
});

const SHOWN_CHARACTERS = 80;

interface Written {
  readonly outcome: string;
  readonly version: number;
  readonly confidence: number;
  readonly previous?: { readonly value: string } | undefined;
  readonly elsewhere?: readonly string[] | undefined;
}

/** As a model reads it: what it could not know. */
function writtenText({ outcome, version, confidence, previous, elsewhere }: Written): string {
  const sure = confidence === 1 ? '' : `, confidence ${saidConfidence(confidence)}`;
  const before = previous ? ` Before: ${beginningOf(previous.value)}` : '';
  const others = elsewhere
    ? `\nThe key is in ${elsewhere.join(' and ')} too, which this leaves as it is.`
    : '';
  return `${outcome}${version === 1 ? '' : `, version ${version}`}${sure}.${before}${others}`;
}

function beginningOf(value: string): string {
  const characters = [...value.slice(0, 2 * SHOWN_CHARACTERS)];
  return value.length <= SHOWN_CHARACTERS ? value : `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`;
}

function invalid(text: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}
