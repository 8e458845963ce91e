import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { MemoryState } from '../index.ts';

const Count = z.number().int();

export const memoryStats = defineTool({
  name: 'memory_stats',
  title: 'Memory statistics',
  description:
    'How much memory there is, per backend: entries, versions, bytes, oldest and newest write, average confidence, on request decay and promotion. Counts only.',
  input: z.object({
    includeDecay: z
      .boolean()
      .default(false)
      .describe('Add how many are fresh (decay 0.75 up), fading (0.25 up), faded'),
    includePromotion: z
      .boolean()
      .default(false)
      .describe('Add how many are plain, raised (promotion 1.25 up), strong (2 up)'),
  }),
  output: z.object({
    total: Count,
    backends: z.array(z.looseObject({ backend: z.string(), entries: Count, versions: Count, bytes: Count })),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ includeDecay, includePromotion }, { state }: CallContext<MemoryState>) {
    const [memory, { collectStats, noStats, spreadOf }] = await Promise.all([
      state.openToRead(),
      import('../collect-stats.ts'),
    ]);
    const stats = memory ? await collectStats(memory) : noStats();
    const decay = memory && includeDecay ? await spreadOf(memory, 'decay') : undefined;
    const promotion = memory && includePromotion ? await spreadOf(memory, 'promotion') : undefined;
    const none = { low: 0, middle: 0, high: 0 };
    const backends = stats.map((each) => {
      const { low: faded, middle: fading, high: fresh } = decay?.get(each.backend) ?? none;
      const { low: plain, middle: raised, high: strong } = promotion?.get(each.backend) ?? none;
      return {
        ...each,
        ...(includeDecay ? { decay: { fresh, fading, faded } } : {}),
        ...(includePromotion ? { promotion: { plain, raised, strong } } : {}),
      };
    });
    return { total: stats.reduce((sum, { entries }) => sum + entries, 0), backends };
  },
});
