import { type BackendName, backendOf } from './backends.ts';

/** An old entry sinks, but a good match can still bring it up. */
const DECAY_FLOOR = 0.1;
/** After this many rewrites the half-life and the promotion grow no more. */
const MOST_REWRITES = 6;
/** What another session's note counts beside the caller's own. */
export const OTHER_SESSION = 0.5;

/** What a score is made of; all but the match itself follow from the entry and the clock. */
export interface Aging {
  readonly backend: BackendName;
  /** Epoch milliseconds of the last write. */
  readonly updatedAtMs: number;
  /** How often the key was written. */
  readonly version: number;
}

/** `max(0.1, 0.5 ^ (age / half-life))`; 1 where the backend does not age. */
export function decayOf({ backend, updatedAtMs, version }: Aging, nowMs: number): number {
  const { halfLifeMs, isPromotedByRewrites } = backendOf(backend);
  if (halfLifeMs === undefined) return 1;
  const stretched = isPromotedByRewrites ? halfLifeMs * 2 ** rewrites(version) : halfLifeMs;
  return Math.max(DECAY_FLOOR, 0.5 ** (Math.max(0, nowMs - updatedAtMs) / stretched));
}

/** `1 + 0.25 * rewrites`, at most 2.5, in the adaptive backend; 1 elsewhere. Reads never count. */
export function promotionOf({ backend, version }: Aging): number {
  return backendOf(backend).isPromotedByRewrites ? 1 + 0.25 * rewrites(version) : 1;
}

export interface ScoreParts {
  /** 0 to 1: the match against the best match of this query. */
  readonly relevance: number;
  readonly confidence: number;
  readonly decay: number;
  readonly promotion: number;
  readonly isOtherSession: boolean;
}

export function scoreOf({ relevance, confidence, decay, promotion, isOtherSession }: ScoreParts): number {
  return relevance * confidence * decay * promotion * (isOtherSession ? OTHER_SESSION : 1);
}

function rewrites(version: number): number {
  return Math.min(version - 1, MOST_REWRITES);
}
