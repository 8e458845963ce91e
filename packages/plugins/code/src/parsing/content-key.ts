import { createHash } from 'node:crypto';
import type { Language } from '../syntax/language.ts';

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64');
}

/** What one grammar can't take, another may. */
export function contentKey(language: Language | undefined, hash: string): string {
  return `${language?.grammar} ${hash}`;
}
