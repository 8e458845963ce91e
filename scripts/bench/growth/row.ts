/** What grows, and what it costs at three sizes. */
export interface GrowthRow {
  readonly name: string;
  /** As a row's title: the cost of what. */
  readonly what: string;
  /** How it is measured, for the page. */
  readonly method: string;
  readonly unit: 'ms' | 'kB' | 'rows';
  /** From small to large, each several times the one before. */
  readonly sizes: Sizes;
  /** The same where only the shape is looked at, in seconds. */
  readonly smallSizes: Sizes;
  /** The most that the largest of `sizes` may cost, in `unit`, where such a bound was promised. */
  readonly atMost?: number;
  /** How far the cost may outgrow the size; by default what noise makes of a straight line. */
  readonly steepest?: number;
  /** What this size costs, in `unit`: CPU time of the process that serves, or the longest wait of another session. */
  measure(size: number): Promise<number>;
}

export type Sizes = readonly [number, number, number];

/** Small sizes pass by too fast for a clock: what is below this many of the row's unit is noise. */
export const NOISE = { ms: 20, kB: 20, rows: 1 } as const satisfies Record<GrowthRow['unit'], number>;

/** A row with what was measured of it. */
export interface Grown {
  readonly row: GrowthRow;
  readonly points: readonly Point[];
}

export interface Point {
  readonly size: number;
  readonly cost: number;
}
