import { type CallContext, defineTool, isToolError, type ModelOutcomes } from '@nexus/plugin-sdk';
import { z } from 'zod';

/** Below this a rate says more of chance than of a model. */
const FEW_RUNS = 5;

const row = z.object({
  model: z.string(),
  category: z.string(),
  runs: z.int(),
  successRate: z.number().describe('From 0 to 1: calls that were answered, rightly or not.'),
  p50LatencyMs: z.number(),
  p95LatencyMs: z.number(),
  costUsd: z.number(),
  unpricedRuns: z.int().optional().describe('Calls whose cost is unknown, which the cost leaves out.'),
  judged: z
    .object({ good: z.int(), bad: z.int() })
    .optional()
    .describe('Work that reviews, runs or tell_outcome judged.'),
  trend: z.number().optional().describe('Success rate of the newer half less that of the older.'),
  note: z.string().optional(),
});

export const weatherReport = defineTool({
  name: 'weather_report',
  title: 'Weather report of the models',
  description:
    'How the models did here, from recorded calls: runs, success rate, latency, cost and trend per model and category. Calls no model.',
  input: z.object({
    cli: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only this provider: claude, codex, gemini, anthropic, …'),
    category: z
      .enum(['general', 'reasoning', 'code', 'context', 'speed'])
      .optional()
      .describe('Only calls of this category.'),
    includeAdaptive: z.boolean().default(true).describe('Adds which model the router would choose now.'),
  }),
  output: z.object({
    models: z.array(row),
    totalRuns: z.int(),
    adaptive: z.object({ recommendedModel: z.string(), why: z.array(z.string()) }).optional(),
    note: z.string().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ cli, category, includeAdaptive }, context: CallContext) {
    const { models } = context.host;
    const outcomes = await models.outcomes({
      ...(cli === undefined ? {} : { provider: cli }),
      ...(category === undefined ? {} : { category }),
    });
    const totalRuns = outcomes.reduce((sum, { runs }) => sum + runs, 0);
    return {
      models: outcomes.filter(({ runs }) => runs > 0).map(toRow),
      totalRuns,
      ...(totalRuns === 0 ? { note: await whyNone({ cli, category }, context) } : {}),
      ...(includeAdaptive ? await adaptive(category, context) : {}),
    };
  },
});

interface Filter {
  readonly cli: string | undefined;
  readonly category: ModelOutcomes['category'] | undefined;
}

/** What is on record beside what was asked for, so that a filter that fits nothing is not taken for an empty record. */
async function whyNone({ cli, category }: Filter, { host }: CallContext): Promise<string> {
  const all = cli === undefined && category === undefined ? [] : await host.models.outcomes({});
  const runs = all.reduce((sum, each) => sum + each.runs, 0);
  if (runs === 0) return 'No call of a model is on record here yet.';
  const asked = [
    ...(cli === undefined ? [] : [`of the provider ${JSON.stringify(cli)}`]),
    ...(category === undefined ? [] : [`of the category ${category}`]),
  ].join(' and ');
  const known = all.map((each) => `${each.model} (${each.category}: ${each.runs})`).join(', ');
  return `No call ${asked} is on record. There are ${runs} others: ${known}.`;
}

function toRow({ model, category, runs, successes, unpriced, judged, trend, ...figures }: ModelOutcomes) {
  const { p50LatencyMs, p95LatencyMs, costUsd } = figures;
  return {
    model,
    category,
    runs,
    successRate: runs === 0 ? 0 : successes / runs,
    p50LatencyMs,
    p95LatencyMs,
    costUsd,
    ...(unpriced > 0 ? { unpricedRuns: unpriced } : {}),
    ...(judged === undefined ? {} : { judged }),
    ...(trend === undefined ? {} : { trend }),
    ...(runs < FEW_RUNS ? { note: `only ${runs} of at least ${FEW_RUNS} runs: too few to tell` } : {}),
  };
}

async function adaptive(category: ModelOutcomes['category'] | undefined, context: CallContext) {
  try {
    const { best } = await context.host.models.route(category === undefined ? {} : { category }, context);
    return { adaptive: { recommendedModel: best.model, why: [...best.why] } };
  } catch (error) {
    // What was recorded of models that have gone stands all the same.
    if (isToolError(error) && error.code === 'NEXUS_NO_MODEL') return {};
    throw error;
  }
}
