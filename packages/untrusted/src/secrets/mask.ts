/** Stands in every text for what was a secret; its length tells nothing. */
export const MASK = '********';
