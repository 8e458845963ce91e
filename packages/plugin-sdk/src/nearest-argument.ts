import { distance } from 'fastest-levenshtein';

/** Further apart than this share of the longer name, two names are not near: a typist misses one letter of three. */
const MAX_SCORE = 0.34;
const MIN_PART_CHARS = 3;
const MAX_PART_CHARS = 300;

/**
 * The argument that was meant by a name that is none: a slip of a typist, or a part of it. Held to more than other
 * names are, since there are few arguments, and a wrong one is followed.
 */
export function nearestArgument(typed: string, names: Iterable<string>): string | undefined {
  const wanted = typed.toLowerCase();
  const [best] = [...names]
    .map((name) => ({ name, score: score(wanted, name.toLowerCase(), isPart(typed, name)) }))
    .filter(({ score }) => score <= MAX_SCORE)
    .sort((a, b) => a.score - b.score || a.name.localeCompare(b.name));
  return best?.name;
}

/** Edit distance relative to length; a part of the name counts as near. */
function score(wanted: string, name: string, isPart: boolean): number {
  const longer = Math.max(wanted.length, name.length, 1);
  const shorter = Math.min(wanted.length, name.length);
  // At least that many edits are needed; without this, a megabyte sent as a name costs seconds.
  const share = longer - shorter > longer * MAX_SCORE ? 1 : edits(wanted, name) / longer;
  return isPart ? Math.min(share, MAX_SCORE) : share;
}

/** Two letters that are swapped are one slip. */
function edits(one: string, other: string): number {
  const count = distance(one, other);
  return count === 2 && isSwapped(one, other) ? 1 : count;
}

function isSwapped(one: string, other: string): boolean {
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const swapped = `${one.slice(0, at)}${one[at + 1] ?? ''}${one[at]}${one.slice(at + 2)}`;
  return swapped === other;
}

/** Whether the words of one begin at a word of the other: `path` in `filePath`, `dir` in `directory`, not `text` in `context`. */
function isPart(typed: string, name: string): boolean {
  // No name is so much longer than what it is a part of.
  if (Math.min(typed.length, name.length) < MIN_PART_CHARS || typed.length > MAX_PART_CHARS) return false;
  const [one, other] = [wordsOf(typed), wordsOf(name)];
  return one.includes(other) || other.includes(one);
}

function wordsOf(name: string): string {
  return `_${name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^a-zA-Z\d]+/g, '_')
    .toLowerCase()}`;
}
