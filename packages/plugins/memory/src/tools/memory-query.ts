import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { BACKEND_NAMES } from '../backends.ts';
import type { MemoryState } from '../index.ts';

const HOUR_MS = 3_600_000;
const Part = z.number();

const MemoryHit = z.object({
  backend: z.enum(BACKEND_NAMES),
  key: z.string(),
  value: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  score: Part.describe('relevance × confidence × decay × promotion, halved for another session’s note'),
  relevance: Part,
  confidence: Part,
  decay: Part,
  promotion: Part,
  ageHours: z.number(),
  updatedAt: z.string(),
  version: z.number().int().describe('How often the key was written'),
  history: z.array(
    z.object({ version: z.number().int(), value: z.string(), confidence: Part, writtenAt: z.string() }),
  ),
  session: z.enum(['this', 'other']).optional(),
  via: z.string().optional().describe('Found by a link from this key'),
});

export const memoryQuery = defineTool({
  name: 'memory_query',
  title: 'Query memory',
  description:
    'Recall what you or another agent wrote with memory_write: ask before you start work and before you ask the user. Finds entries with any of the words (any language, also as beginnings of words), ranked by text match, confidence and age. Each hit has its value, its score with all parts, age and earlier versions; total says how many match. Reads only: a query changes no ranking. Does not search files or the web.',
  input: z.object({
    query: z
      .string()
      .min(1)
      .max(500)
      .describe('Words to look for; type:NAME keeps only that metadata.type; * lists the newest'),
    limit: z.number().int().min(1).max(100).default(10).describe('Most hits to return'),
    source: z
      .enum(['all', ...BACKEND_NAMES])
      .default('all')
      .describe('Only this backend (see memory_write)'),
  }),
  output: z.object({ results: z.array(MemoryHit), count: z.number().int(), total: z.number().int() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call(input, { state, session }: CallContext<MemoryState>) {
    const [memory, { findEntries }, { readEntries }] = await Promise.all([
      state.open(),
      import('../find-entries.ts'),
      import('../read-entries.ts'),
    ]);
    const { found, total } = await findEntries(memory, { ...input, sessionId: session.id });
    const texts = await readEntries(
      memory,
      found.map(({ id }) => id),
    );
    const results = found.flatMap(({ id, updatedAtMs, isOtherSession, ...hit }) => {
      const text = texts.get(id);
      if (!text) return [];
      const ageHours = rounded((Date.now() - updatedAtMs) / HOUR_MS);
      return {
        backend: hit.backend,
        ...text,
        history: text.history.map((earlier) => ({ ...earlier, confidence: rounded(earlier.confidence) })),
        score: rounded(hit.score),
        relevance: rounded(hit.relevance),
        confidence: rounded(hit.confidence),
        decay: rounded(hit.decay),
        promotion: rounded(hit.promotion),
        ageHours,
        updatedAt: new Date(updatedAtMs).toISOString(),
        ...(hit.backend === 'session'
          ? { session: isOtherSession ? ('other' as const) : ('this' as const) }
          : {}),
        ...(hit.via === undefined ? {} : { via: hit.via }),
      };
    });
    return { results, count: results.length, total };
  },
});

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
