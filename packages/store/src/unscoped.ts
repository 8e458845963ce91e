import type * as TakeOver from './take-over.ts';

/** The Postgres client is loaded with the first use. */
export const findUnscoped: typeof TakeOver.findUnscoped = async (...where) =>
  (await import('./take-over.ts')).findUnscoped(...where);

export const takeOver: typeof TakeOver.takeOver = async (...what) =>
  (await import('./take-over.ts')).takeOver(...what);
