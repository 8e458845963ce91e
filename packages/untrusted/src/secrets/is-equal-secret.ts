import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in a time that tells nothing of them, not even their length. */
export function isEqualSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
