const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const BACKEND_NAMES = ['session', 'belief', 'agentic', 'typed', 'adaptive'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

export interface Backend {
  /** Age at which an entry counts half; undefined where entries don't age. */
  readonly halfLifeMs?: number;
  /** Age after which an entry is no longer found. */
  readonly lapsesAfterMs?: number;
  /** A key belongs to the session that wrote it, so two agents' notes don't overwrite each other. */
  readonly isPerSession?: true;
  /** A rewrite is weighed against what was held: the same value confirms, another contradicts. */
  readonly weighsRewrites?: true;
  /** Entries named in `metadata.links` are found along with the entry. */
  readonly followsLinks?: true;
  /** `metadata.type` must be there. */
  readonly needsType?: true;
  /** Each rewrite raises the rank and doubles the half-life. */
  readonly isPromotedByRewrites?: true;
  readonly defaultConfidence: number;
}

/** What sets the backends apart, as data; docs/memory.md says it in words. */
const backends = {
  session: { halfLifeMs: 4 * HOUR_MS, lapsesAfterMs: DAY_MS, isPerSession: true, defaultConfidence: 1 },
  belief: { halfLifeMs: 90 * DAY_MS, weighsRewrites: true, defaultConfidence: 0.7 },
  agentic: { halfLifeMs: 60 * DAY_MS, followsLinks: true, defaultConfidence: 1 },
  typed: { needsType: true, defaultConfidence: 1 },
  adaptive: { halfLifeMs: 7 * DAY_MS, isPromotedByRewrites: true, defaultConfidence: 1 },
} as const satisfies Record<BackendName, Backend>;

/** The backend as a rule reads it, where a rule that it does not have is undefined. */
export function backendOf(name: BackendName): Backend {
  return backends[name];
}
