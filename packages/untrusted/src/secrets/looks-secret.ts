/** Bits a character; a word of any language has about 2 to 3, random text of 20 characters above 3.5. */
const RANDOM_BITS = 3;
const SHORTEST_PASSWORD = 8;
const SHORTEST_KEY = 16;

const PLACEHOLDER =
  /^[$<{%[(*]|^(.)\1+$|example|placeholder|change[-_]?me|your|redacted|dummy|process\.env|os\.environ|getenv|secrets\.|vault|keychain|\(|:\/\/|^arn:|^[~.]*\/|^(?:password|passwd|pass|secret|token|pw)$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a value that stands under a password's name is one, and not a placeholder or a word of prose. */
export function looksLikePassword(value: string): boolean {
  if (value.length < SHORTEST_PASSWORD || isHarmless(value)) return false;
  return /\p{L}/u.test(value) && /[\d!@#$%^&*?+=~]/.test(value);
}

/** Whether a value that stands under a key's or a token's name is random enough to be one. */
export function looksLikeKey(value: string): boolean {
  if (value.length < SHORTEST_KEY || isHarmless(value)) return false;
  return /[A-Za-z]/.test(value) && /\d/.test(value) && bitsPerCharacter(value) >= RANDOM_BITS;
}

function isHarmless(value: string): boolean {
  return PLACEHOLDER.test(value) || UUID.test(value) || isReadable(value);
}

/** Words, dates and small numbers joined by separators, such as `oauth2-client-flow` or `config.db.pool`. */
function isReadable(value: string): boolean {
  const parts = value.split(/[-_./:]+/).filter(Boolean);
  return parts.length > 1 && parts.every((part) => /^(?:[A-Za-z]{1,14}\d{0,3}|[vV]?\d{1,4})$/.test(part));
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
