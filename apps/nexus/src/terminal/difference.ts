import { visibleLine } from '@nexus/untrusted/shown';

/** What differs between two values, line by line: `-` was, `+` is; what both begin and end with is left out. */
export function differenceLines(before: unknown, after: unknown): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let same = 0;
  while (same < shorter && old[same] === fresh[same]) same += 1;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && old.at(-1 - sameAtEnd) === fresh.at(-1 - sameAtEnd)) sameAtEnd += 1;
  const changed = (lines: readonly string[]) => lines.slice(same, lines.length - sameAtEnd).map(visibleLine);
  return [...changed(old).map((line) => `- ${line}`), ...changed(fresh).map((line) => `+ ${line}`)];
}

function linesOf(value: unknown): string[] {
  if (value === undefined) return [];
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).split('\n');
}
