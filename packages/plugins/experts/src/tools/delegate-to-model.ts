import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

const scored = z.object({
  model: z.string(),
  score: z.number(),
  quality: z.number(),
  cost: z.number(),
  latency: z.number(),
  why: z.array(z.string()),
  estimatedCostUsd: z.number().optional(),
});

/** Of the alternatives, at once. */
const SHOWN = 10;

export const delegateToModel = defineTool({
  name: 'delegate_to_model',
  title: 'Recommend a model',
  description:
    'Recommends a model for a task, with the score of each by quality, cost and latency and where the figures are from. Calls no model.',
  input: z.object({
    task: z.string().min(1).max(50_000).describe('What the model would be asked; its length counts, too.'),
    preferredCapability: z
      .enum(['reasoning', 'context', 'speed', 'code'])
      .optional()
      .describe('What matters most. Default: all alike.'),
    maxCostUsd: z
      .number()
      .positive()
      .max(100_000)
      .optional()
      .describe('Leaves out what costs more or has no known price.'),
    offset: z.int().min(0).max(10_000).default(0).describe('Alternatives to skip.'),
  }),
  aliases: { prompt: 'task' },
  output: z.object({
    recommendedModel: z.string(),
    why: scored,
    alternatives: z.array(scored),
    alternativesTotal: z.int(),
    excluded: z.array(z.object({ model: z.string(), reason: z.string() })),
    estimatedTokens: z.object({ input: z.int(), output: z.int() }),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ task, preferredCapability, maxCostUsd, offset }, context: CallContext) {
    const routing = await context.host.models.route(
      {
        task,
        ...(preferredCapability === undefined ? {} : { category: preferredCapability }),
        ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
      },
      context,
    );
    const { best, alternatives, excluded, inputTokens, outputTokens } = routing;
    const shown = ({ why, ...rest }: typeof best) => ({ ...rest, why: [...why] });
    return {
      recommendedModel: best.model,
      why: shown(best),
      alternatives: alternatives.slice(offset, offset + SHOWN).map(shown),
      alternativesTotal: alternatives.length,
      excluded: excluded.map((each) => ({ ...each })),
      estimatedTokens: { input: inputTokens, output: outputTokens },
    };
  },
});
