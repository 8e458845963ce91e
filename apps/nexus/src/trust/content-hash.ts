import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** SHA-256 of a file; undefined where it is not for this user, or of some gigabytes. */
export function contentHash(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
