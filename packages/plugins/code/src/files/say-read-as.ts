import { OWN_SENTENCES } from '@nexus/primitives';
import type { ReadAs } from './decode-text.ts';

/** What is said of a file that is not UTF-8: how its bytes were read. */
export function sayReadAs(shown: string, readAs: ReadAs): string {
  return readAs === 'faulty UTF-8' ? OWN_SENTENCES.faultyBytes(shown) : OWN_SENTENCES.readAs(shown, readAs);
}
