import { answerRoom, type CallContext, defineTool, nextPage } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { BACKEND_NAMES } from '../backends.ts';
import type { Scored } from '../candidate.ts';
import { roundedConfidence } from '../confidence.ts';
import { hitsText } from '../hits-text.ts';
import type { MemoryState } from '../index.ts';
import type { EntryText } from '../read-entries.ts';
import { OTHER_SESSION } from '../score.ts';
import { seenId } from '../seen-id.ts';
import { shownHits } from '../shown-hits.ts';

const HOUR_MS = 3_600_000;

/** What every hit has; the rest of it is described in docs/memory.md and kept out of tools/list. */
const MemoryHit = z.looseObject({
  backend: z.string(),
  key: z.string(),
  value: z.string(),
  score: z.number(),
  parts: z.record(z.string(), z.number()).describe('relevance, confidence, decay, promotion'),
  ageHours: z.number(),
  version: z.number().int(),
});

export const memoryQuery = defineTool({
  name: 'memory_query',
  title: 'Query memory',
  description:
    'Recall what you or another agent wrote with memory_write: before you start work and before you ask the user. Finds entries with any of the words (also as beginnings), ranked by text match, confidence and age.',
  input: z.object({
    query: z
      .string()
      .min(1)
      .max(500)
      .describe('Words to look for; type:NAME keeps only that metadata.type; * lists the newest'),
    limit: z.number().int().min(1).max(100).default(10).describe('Most hits'),
    offset: z.int().min(0).max(10_000).default(0).describe('Hits to skip'),
    source: z
      .enum(['all', ...BACKEND_NAMES])
      .default('all')
      .describe('Only this backend (see memory_write)'),
  }),
  aliases: { backend: 'source', text: 'query', q: 'query', type: 'query' },
  output: z.object({
    results: z.array(MemoryHit),
    count: z.number().int(),
    total: z.number().int(),
    nextOffset: z.int().optional(),
    linkedLeftOut: z.int().optional(),
    totalIsLowerBound: z.boolean().optional(),
    frequentWords: z.array(z.string()).optional(),
    unusedWords: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  text: hitsText,
  async call(input, context: CallContext<MemoryState>) {
    const { state, session, host } = context;
    const [memory, { findEntries, findNothing }, { readEntries }] = await Promise.all([
      state.openToRead(),
      import('../find-entries.ts'),
      import('../read-entries.ts'),
    ]);
    const search = { ...input, sessionId: session.id };
    const found = memory ? await findEntries(memory, search) : findNothing(search);
    const { total, isMore, linkedCount, frequentWords, unusedWords, nowMs } = found;
    const ids = [...found.matched, ...found.linked].map(({ id }) => id);
    const texts = memory ? await readEntries(memory, ids) : new Map<number, EntryText>();
    const described = (hits: readonly Scored[]) =>
      hits.flatMap((hit) => {
        const text = texts.get(hit.id);
        return text ? [describeHit(hit, text, nowMs)] : [];
      });
    const hits = { matched: described(found.matched), linked: described(found.linked) };
    const shown = await shownHits(hits, {
      room: answerRoom(host.results),
      keep: async (text) => (await host.results.keep({ text, mimeType: 'text/plain' }, context)).uri,
    });
    const results = [...shown.matched, ...shown.linked].sort((a, b) => b.score - a.score);
    state.lookedAt.add(
      session,
      results.map(({ backend, key, version }) => seenId(backend, key, version)),
    );
    const linkedLeftOut = linkedCount - shown.linked.length;
    return {
      results,
      count: results.length,
      total: total + linkedCount,
      ...nextPage(input.offset, shown.matched.length, total),
      ...(linkedLeftOut === 0 ? {} : { linkedLeftOut }),
      ...(isMore ? { totalIsLowerBound: true } : {}),
      ...(frequentWords.length === 0 ? {} : { frequentWords: [...frequentWords] }),
      ...(unusedWords.length === 0 ? {} : { unusedWords: [...unusedWords] }),
    };
  },
});

function describeHit(hit: Scored, { key, value, metadata, version, history }: EntryText, nowMs: number) {
  const { backend, relevance, confidence, decay, promotion, updatedAtMs, via } = hit;
  return {
    backend,
    key,
    value,
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    score: rounded(hit.score),
    parts: {
      relevance: rounded(relevance),
      confidence: roundedConfidence(confidence),
      decay: rounded(decay),
      promotion: rounded(promotion),
      ...(hit.isOtherSession ? { otherSession: OTHER_SESSION } : {}),
    },
    ageHours: rounded((nowMs - updatedAtMs) / HOUR_MS),
    updatedAt: new Date(updatedAtMs).toISOString(),
    version,
    ...(history.length > 0
      ? {
          history: history.map((earlier) => ({
            ...earlier,
            confidence: roundedConfidence(earlier.confidence),
          })),
        }
      : {}),
    ...(via === undefined ? {} : { via }),
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
