import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFile } from '../chain/places.ts';
import { parseVerifier, type Verifier } from './signed-note.ts';

/**
 * Where the keys are known that this user has signed with: beside the key, out of the reach of who can write the trail alone.
 * Who can write there has the key, and needs no other. So what was signed while the key was lost is told from a stranger’s.
 */
export function knownKeysFile(keyFile: string): string {
  return join(dirname(keyFile), 'audit-keys');
}

/** A line that is no key, such as half of one, is none. */
export function knownKeys(keyFile: string): Verifier[] {
  const file = knownKeysFile(keyFile);
  const lines = isFile(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return [...new Set(lines)].flatMap((line) => {
    try {
      return [parseVerifier(line)];
    } catch {
      return [];
    }
  });
}

/** The key is one of them from now on. */
export function knowKey(keyFile: string, { text }: Verifier): void {
  if (knownKeys(keyFile).some((each) => each.text === text)) return;
  appendFileSync(knownKeysFile(keyFile), `\n${text}\n`, { mode: 0o600 });
}
