import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { BACKEND_NAMES } from '../backends.ts';
import type { MemoryState } from '../index.ts';

const Count = z.number().int();

export const memoryStats = defineTool({
  name: 'memory_stats',
  title: 'Memory statistics',
  description:
    'See how much memory there is and how alive it is, per backend: entries, versions, bytes, oldest and newest write, average confidence; on request how many entries are fresh or faded (decay) and plain or promoted. Counts only: use memory_query to read entries.',
  input: z.object({
    includeDecay: z.boolean().default(false).describe('Add how many entries are fresh, fading and faded'),
    includePromotion: z
      .boolean()
      .default(false)
      .describe('Add how many entries are plain, raised and strong'),
  }),
  output: z.object({
    total: Count,
    backends: z.array(
      z.object({
        backend: z.enum(BACKEND_NAMES),
        entries: Count,
        versions: Count,
        bytes: Count,
        oldest: z.string().optional(),
        newest: z.string().optional(),
        averageConfidence: z.number().optional(),
        lapsed: Count.optional().describe('Too old to be found'),
        decay: z
          .object({ fresh: Count, fading: Count, faded: Count })
          .optional()
          .describe('From 0.75, from 0.25, below'),
        promotion: z
          .object({ plain: Count, raised: Count, strong: Count })
          .optional()
          .describe('Below 1.25, from 1.25, from 2'),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ includeDecay, includePromotion }, { state }: CallContext<MemoryState>) {
    const [memory, { collectStats, spreadOf }] = await Promise.all([
      state.open(),
      import('../collect-stats.ts'),
    ]);
    const stats = await collectStats(memory);
    const decay = includeDecay ? await spreadOf(memory, 'decay') : undefined;
    const promotion = includePromotion ? await spreadOf(memory, 'promotion') : undefined;
    const none = { low: 0, middle: 0, high: 0 };
    const backends = stats.map((each) => {
      const { low: faded, middle: fading, high: fresh } = decay?.get(each.backend) ?? none;
      const { low: plain, middle: raised, high: strong } = promotion?.get(each.backend) ?? none;
      return {
        ...each,
        ...(decay ? { decay: { fresh, fading, faded } } : {}),
        ...(promotion ? { promotion: { plain, raised, strong } } : {}),
      };
    });
    return { total: stats.reduce((sum, { entries }) => sum + entries, 0), backends };
  },
});
