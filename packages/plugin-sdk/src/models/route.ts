import type { ModelCategory } from './generate.ts';

/** What the router is to choose for; nothing is called and nothing recorded. */
export interface RouteRequest {
  readonly category?: ModelCategory;
  /** What the model will read; its length counts. */
  readonly task?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly needsTools?: boolean;
  /** Models whose estimated cost is higher, or whose price is unknown, are left out. */
  readonly maxCostUsd?: number;
}

/** One model's score, each criterion from 0 to 1, 1 being best. */
export interface ScoredModel {
  readonly model: string;
  readonly score: number;
  readonly quality: number;
  readonly cost: number;
  readonly latency: number;
  /** In a sentence per criterion: from which figure each came. */
  readonly why: readonly string[];
  readonly estimatedCostUsd?: number;
}

export interface Routing {
  readonly best: ScoredModel;
  /** The others, best first. */
  readonly alternatives: readonly ScoredModel[];
  /** Those that can't do it, and why. */
  readonly excluded: readonly { readonly model: string; readonly reason: string }[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface OutcomeQuery {
  readonly provider?: string;
  readonly category?: ModelCategory;
  /** Epoch milliseconds. */
  readonly since?: number;
}

/** The recorded calls of one model in one category. */
export interface ModelOutcomes {
  readonly model: string;
  readonly category: ModelCategory;
  /** Calls that came to an end of their own: an answer, or a failure. */
  readonly runs: number;
  readonly successes: number;
  readonly p50LatencyMs: number;
  readonly p95LatencyMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  /** Calls that their caller cancelled: none of `runs`. */
  readonly cancelled: number;
  /** Calls whose cost is not known: of no known price, or cut off, by their caller or their time. */
  readonly unpriced: number;
  /** Pieces of its work that were judged; absent where none was. */
  readonly judged?: { readonly good: number; readonly bad: number };
  /** Success rate of the newer half less that of the older; absent below 10 runs. */
  readonly trend?: number;
}
