import type { BackendName } from './backends.ts';
import { decayOf, promotionOf, type ScoreParts, scoreOf } from './score.ts';

/** What a score needs to know of an entry; the text is read later, for the best only. */
export interface Candidate {
  readonly id: number;
  readonly backend: BackendName;
  readonly scope: string;
  readonly version: number;
  readonly confidence: number;
  readonly updated_at: number;
  /** How well the text matches; higher is better. */
  readonly rank: number;
}

export interface Scored extends ScoreParts {
  readonly id: number;
  readonly backend: BackendName;
  readonly score: number;
  readonly updatedAtMs: number;
  /** The key of the entry whose link led here. */
  readonly via?: string;
}

export function scored(
  candidate: Candidate,
  { relevance, sessionId, nowMs }: { relevance: number; sessionId: string; nowMs: number },
): Scored {
  const { id, backend, scope, confidence, version, updated_at: updatedAtMs } = candidate;
  const aging = { backend, updatedAtMs, version };
  const parts = {
    relevance,
    confidence,
    decay: decayOf(aging, nowMs),
    promotion: promotionOf(aging),
    isOtherSession: scope !== '' && scope !== sessionId,
  };
  return { id, backend, updatedAtMs, ...parts, score: scoreOf(parts) };
}

/** Best first, and in one order always: the newer, then the later made one wins a tie. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || b.updatedAtMs - a.updatedAtMs || b.id - a.id;
}
