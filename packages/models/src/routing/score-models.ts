import type { ModelCategory, ModelEntry, ModelOutcomes, Routing, ScoredModel } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { costOf } from '../catalogue/cost.ts';

export interface RoutingTask {
  readonly category: ModelCategory;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly needsTools: boolean;
  readonly maxCostUsd?: number | undefined;
}

/** How much each criterion counts, by what the call is about; each row adds up to 1. */
const WEIGHTS: Readonly<Record<ModelCategory, { quality: number; cost: number; latency: number }>> = {
  general: { quality: 0.6, cost: 0.25, latency: 0.15 },
  reasoning: { quality: 0.75, cost: 0.15, latency: 0.1 },
  code: { quality: 0.7, cost: 0.2, latency: 0.1 },
  context: { quality: 0.65, cost: 0.25, latency: 0.1 },
  speed: { quality: 0.25, cost: 0.25, latency: 0.5 },
};

/** A call of this price, and one that takes this long, score a half. */
const HALF_COST_USD = 0.05;
const HALF_LATENCY_MS = 15_000;
/** What is not known is neither good nor bad. */
const UNKNOWN = 0.5;
/** Failures weigh against this many calls that are taken to have gone well. */
const PRIOR_RUNS = 10;

/** Each model's score by quality, cost and latency, best first; equal ones in the order given. Pure. */
export function scoreModels(
  entries: readonly ModelEntry[],
  outcomes: readonly ModelOutcomes[],
  task: RoutingTask,
): { scored: ScoredModel[]; excluded: Routing['excluded'] } {
  const scored: ScoredModel[] = [];
  const excluded: { model: string; reason: string }[] = [];
  for (const entry of entries) {
    const costUsd = costOf(entry, { ...task, cachedInputTokens: 0 });
    const reason = unfit(entry, costUsd, task);
    if (reason !== undefined) excluded.push({ model: entry.id, reason });
    else scored.push(score(entry, costUsd, outcomes, task));
  }
  return { scored: scored.sort((one, other) => other.score - one.score), excluded };
}

function unfit(entry: ModelEntry, costUsd: number | undefined, task: RoutingTask): string | undefined {
  const { inputTokens, outputTokens, maxCostUsd } = task;
  const tokens = inputTokens + outputTokens;
  if (entry.contextWindow !== undefined && tokens > entry.contextWindow)
    return `some ${counted(tokens, 'token')} do not fit into its ${entry.contextWindow}`;
  if (maxCostUsd === undefined) return undefined;
  if (costUsd === undefined) return `its price is not known, so it can't be held to ${dollars(maxCostUsd)}`;
  return costUsd > maxCostUsd
    ? `it would cost ${dollars(costUsd)}, more than ${dollars(maxCostUsd)}`
    : undefined;
}

function score(
  entry: ModelEntry,
  costUsd: number | undefined,
  outcomes: readonly ModelOutcomes[],
  task: RoutingTask,
): ScoredModel {
  const weights = WEIGHTS[task.category];
  const quality = qualityOf(entry, outcomes, task);
  const cost = costScore(entry, costUsd);
  const latency = latencyOf(entry, outcomes, task);
  const tools = task.needsTools && entry.tools === 'described' ? 0.9 : 1;
  const total =
    tools * (weights.quality * quality.value + weights.cost * cost.value + weights.latency * latency.value);
  return {
    model: entry.id,
    score: round(total),
    quality: round(quality.value),
    cost: round(cost.value),
    latency: round(latency.value),
    why: [
      `quality ${round(quality.value)} (weight ${weights.quality}): ${quality.why}`,
      `cost ${round(cost.value)} (weight ${weights.cost}): ${cost.why}`,
      `latency ${round(latency.value)} (weight ${weights.latency}): ${latency.why}`,
      ...(tools < 1 ? ['less a tenth: it is told of tools in words'] : []),
    ],
    ...(costUsd === undefined ? {} : { estimatedCostUsd: costUsd }),
  };
}

interface Criterion {
  readonly value: number;
  readonly why: string;
}

/** What is declared counts as much as this many pieces of work that were judged, and less with each one more. */
const PRIOR_JUDGED = 4;

/** Declared for the category until work was judged, and less so with each piece; lowered by recorded failures. */
function qualityOf(
  entry: ModelEntry,
  outcomes: readonly ModelOutcomes[],
  { category }: RoutingTask,
): Criterion {
  const declared = entry.quality[category];
  const { runs, successes, basis, judged } = recordOf(entry, outcomes, category);
  if (runs === 0) return { value: declared, why: `declared ${declared} for ${category}, no calls on record` };
  const done = judged.good + judged.bad;
  const measured = (declared * PRIOR_JUDGED + judged.good) / (PRIOR_JUDGED + done);
  const value = (measured * (successes + PRIOR_RUNS)) / (runs + PRIOR_RUNS);
  const from =
    done === 0
      ? `declared ${declared} for ${category}, none of its work judged`
      : `${round(measured)}, measured by ${judged.good} good of ${done} judged ${basis} works, declared ${declared}`;
  return { value, why: `${from}; ${successes} of ${runs} recorded ${basis} calls went well` };
}

function costScore({ price }: ModelEntry, costUsd: number | undefined): Criterion {
  if (costUsd === undefined || !price) return { value: UNKNOWN, why: 'no price is known' };
  const why = `some ${dollars(costUsd)} at ${dollars(price.input)} and ${dollars(price.output)} a million tokens`;
  return { value: HALF_COST_USD / (HALF_COST_USD + costUsd), why };
}

/** Measured, once there are calls; until then what is declared for speed. */
function latencyOf(
  entry: ModelEntry,
  outcomes: readonly ModelOutcomes[],
  { category }: RoutingTask,
): Criterion {
  const { successes, p50LatencyMs, basis } = recordOf(entry, outcomes, category);
  if (successes === 0)
    return { value: entry.quality.speed, why: `declared ${entry.quality.speed} for speed, not measured yet` };
  const value = HALF_LATENCY_MS / (HALF_LATENCY_MS + p50LatencyMs);
  return { value, why: `half of the recorded ${basis} calls took at most ${p50LatencyMs} ms` };
}

/** The category's own calls, or all of the model's where it has none. */
function recordOf(entry: ModelEntry, outcomes: readonly ModelOutcomes[], category: ModelCategory) {
  const own = outcomes.filter(({ model, runs }) => model === entry.id && runs > 0);
  const fitting = own.filter((each) => each.category === category);
  const used = fitting.length > 0 ? fitting : own;
  const runs = used.reduce((sum, each) => sum + each.runs, 0);
  const weighted = used.reduce((sum, each) => sum + each.p50LatencyMs * each.runs, 0);
  return {
    runs,
    successes: used.reduce((sum, each) => sum + each.successes, 0),
    judged: {
      good: used.reduce((sum, each) => sum + (each.judged?.good ?? 0), 0),
      bad: used.reduce((sum, each) => sum + (each.judged?.bad ?? 0), 0),
    },
    p50LatencyMs: runs === 0 ? 0 : Math.round(weighted / runs),
    basis: fitting.length > 0 ? `${category}` : 'other',
  };
}

function dollars(amount: number): string {
  return `$${amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2)}`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
