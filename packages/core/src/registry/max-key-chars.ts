/** The longest key of idempotency that the schema of a long tool takes. */
export const MAX_KEY_CHARS = 200;
