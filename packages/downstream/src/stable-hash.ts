import { createHash } from 'node:crypto';
import { canonicalJson } from '@nexus/primitives';

/** SHA-256 of the canonical JSON, in hex. */
export function stableHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
