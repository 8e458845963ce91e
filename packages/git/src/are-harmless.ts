import { stableHash } from '@nexus/primitives';
import { runsCode } from './users-own-in-place.ts';

/** What may bring in other files, and what was not read as git reads it. */
const NOT_WHOLE = /include|\uFFFD/i;
const MAX_HARMLESS = 256;
/** Of each text that git found nothing in by which code is run. */
const harmless = new Set<string>();

/**
 * Whether git, given these very texts of settings, finds nothing in them by which code is run; of a text for which it
 * once was so, nobody is asked again.
 * @param listed what git reads in a text, as `git config --list -z` prints it; undefined where it can't
 */
export async function areHarmless(
  texts: readonly string[],
  listed: (text: string) => Promise<string | undefined>,
): Promise<boolean> {
  for (const text of texts) {
    if (NOT_WHOLE.test(text)) return false;
    const hash = stableHash(text);
    if (harmless.has(hash)) continue;
    const entries = (await listed(text))?.split('\0');
    if (!entries || entries.some((entry) => runsCode(entry.replace(/\n.*/s, '')))) return false;
    if (harmless.size >= MAX_HARMLESS) harmless.clear();
    harmless.add(hash);
  }
  return true;
}
