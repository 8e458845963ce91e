/** One thing that was done, as far as a review looks at it. */
export interface Sample {
  /** What did it: a tool, a step of a kind of run, a model, a server. */
  readonly subject: string;
  readonly startMs: number;
  readonly ms: number;
  /** Of its error. */
  readonly code?: string | undefined;
  /** The run that it was for. */
  readonly run?: string | undefined;
  readonly costUsd?: number | undefined;
  /** It was done again since what came before was not good enough. */
  readonly isSentBack?: boolean | undefined;
}

/** What a run's id stands behind in a link. */
export const RUN_URI = 'nexus://runs/';

export const findingKinds = ['failed', 'slow', 'costly', 'sent-back', 'useless', 'timed-out'] as const;

/** Something that a review names. */
export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  readonly subject: string;
  /** How many of how many. */
  readonly count: number;
  readonly of: number;
  /** In whole words, by numbers alone. */
  readonly detail: string;
  /** `nexus://runs/<id>` of runs to look at, the newest first. */
  readonly links: readonly string[];
}
