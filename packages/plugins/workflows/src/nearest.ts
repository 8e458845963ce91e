import { distance } from 'fastest-levenshtein';

/** Further apart than this share of the longer name, two names are not near. */
const MAX_SHARE = 0.5;
const MAX_CHARS = 100;

/** Names that a typist may have meant, nearest first. */
export function nearestOf(typed: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = typed.slice(0, MAX_CHARS).toLowerCase();
  return [...names]
    .map((name) => ({ name, share: shareOf(wanted, name.toLowerCase()) }))
    .filter(({ share }) => share <= MAX_SHARE)
    .sort((a, b) => a.share - b.share || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function shareOf(wanted: string, name: string): number {
  return distance(wanted, name) / Math.max(wanted.length, name.length, 1);
}

/** For the end of a message: `; did you mean x?`, or what there is. */
export function hintOf(typed: string, names: Iterable<string>): string {
  const all = [...names];
  const [near] = nearestOf(typed, all, 1);
  if (near !== undefined) return `; did you mean ${near}?`;
  return all.length === 0 ? '' : `; there ${all.length === 1 ? 'is' : 'are'} ${all.slice(0, 20).join(', ')}`;
}
