import { distance } from 'fastest-levenshtein';

/** Further apart than this share of the longer name, two names are not near. */
const MAX_SCORE = 0.5;
const MIN_PART_CHARS = 3;

/**
 * Up to `limit` names that a typist may have meant, best first; those too far off are left out. For every
 * message about a name that there is not.
 */
export function nearestNames(typed: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = typed.toLowerCase();
  const begins = (name: string) => Number(name.toLowerCase().startsWith(wanted));
  return [...names]
    .map((name) => ({ name, score: score(wanted, name.toLowerCase()) }))
    .filter(({ score }) => score <= MAX_SCORE)
    .sort((a, b) => a.score - b.score || begins(b.name) - begins(a.name) || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Edit distance relative to length; a part of the name counts as near. */
function score(wanted: string, name: string): number {
  const longer = Math.max(wanted.length, name.length, 1);
  const shorter = Math.min(wanted.length, name.length);
  // At least that many edits are needed; without this, a megabyte sent as a name costs seconds.
  const edits = longer - shorter > longer * MAX_SCORE ? 1 : distance(wanted, name) / longer;
  const isPart = shorter >= MIN_PART_CHARS && (name.includes(wanted) || wanted.includes(name));
  return isPart ? Math.min(edits, 0.4) : edits;
}
