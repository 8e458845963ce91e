import type { ModelOutcomes } from '@nexus/plugin-sdk';
import type { Selectable } from 'kysely';
import type { Judged } from './judgements.ts';
import type { CallRow } from './tables.ts';

type Call = Omit<Selectable<CallRow>, 'id' | 'provider' | 'root_id'>;

/** Fewer say nothing about a trend. */
const MIN_FOR_TREND = 10;

/** Calls, oldest first, by model and category; one that its caller cancelled says nothing of the model, but may have cost. */
export function summarize(calls: readonly Call[], judged: readonly Judged[] = []): ModelOutcomes[] {
  const groups = new Map<string, Call[]>();
  for (const call of calls) {
    const key = `${call.model} ${call.category}`;
    const group = groups.get(key);
    if (group) group.push(call);
    else groups.set(key, [call]);
  }
  const summaries = [...groups.values()].map(summaryOf);
  return summaries
    .map((summary) => withJudged(summary, judged))
    .sort((one, other) => order(one).localeCompare(order(other)));
}

const order = ({ model, category }: ModelOutcomes) => `${model} ${category}`;

function withJudged(summary: ModelOutcomes, judged: readonly Judged[]): ModelOutcomes {
  const found = judged.find(
    ({ model, category }) => order({ ...summary, model, category }) === order(summary),
  );
  return found ? { ...summary, judged: { good: found.good, bad: found.bad } } : summary;
}

function summaryOf(all: readonly Call[]): ModelOutcomes {
  const [{ model, category }] = all as [Call];
  const calls = all.filter(({ outcome }) => outcome !== 'NEXUS_CANCELLED');
  const good = calls.filter(isGood);
  // How long a failure took says nothing of how long an answer takes.
  const latencies = (good.length > 0 ? good : calls)
    .map((call) => Number(call.latency_ms))
    .sort((a, b) => a - b);
  const sum = (of: (call: Call) => number | null) =>
    all.reduce((total, call) => total + Number(of(call) ?? 0), 0);
  return {
    model,
    category,
    runs: calls.length,
    successes: good.length,
    p50LatencyMs: quantile(latencies, 0.5),
    p95LatencyMs: quantile(latencies, 0.95),
    inputTokens: sum((call) => call.input_tokens),
    outputTokens: sum((call) => call.output_tokens),
    costUsd: sum((call) => call.cost_usd),
    cancelled: all.length - calls.length,
    unpriced: all.filter((call) => call.cost_usd === null).length,
    ...(calls.length < MIN_FOR_TREND ? {} : { trend: trendOf(calls) }),
  };
}

function isGood({ outcome }: Call): boolean {
  return outcome === 'ok';
}

function trendOf(calls: readonly Call[]): number {
  const middle = Math.floor(calls.length / 2);
  return rate(calls.slice(middle)) - rate(calls.slice(0, middle));
}

function rate(calls: readonly Call[]): number {
  return calls.filter(isGood).length / calls.length;
}

/** Nearest rank, of values in ascending order. */
function quantile(values: readonly number[], share: number): number {
  return values[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
}
