import type * as Measure from './measure.ts';
import type * as Sweep from './sweep.ts';

/** kysely is loaded with the first use. */
export const sweepOnce: typeof Sweep.sweepOnce = async (...what) =>
  (await import('./sweep.ts')).sweepOnce(...what);

export const measureDatabase: typeof Measure.measureDatabase = async (...what) =>
  (await import('./measure.ts')).measureDatabase(...what);
