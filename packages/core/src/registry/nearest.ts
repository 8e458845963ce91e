import { distance } from 'fastest-levenshtein';

/** Up to `limit` names that a typist may have meant, best first; those too far off are left out. */
export function nearestNames(typed: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = typed.toLowerCase();
  return [...names]
    .map((name) => ({ name, score: score(wanted, name.toLowerCase()) }))
    .filter(({ score }) => score <= 0.5)
    .sort((a, b) => a.score - b.score || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Edit distance relative to length; a part of the name counts as near. */
function score(wanted: string, name: string): number {
  const edits = distance(wanted, name) / Math.max(wanted.length, name.length, 1);
  const isPart = wanted.length >= 3 && (name.includes(wanted) || wanted.includes(name));
  return isPart ? Math.min(edits, 0.4) : edits;
}
