import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** SHA-256 of a value's canonical JSON, in hex: the same for values that JSON shows alike. */
export function stableHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
