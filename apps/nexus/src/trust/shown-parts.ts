import { visibleLine } from '@nexus/untrusted/shown';
import { differenceLines } from '../terminal/difference.ts';
import type { Part } from './part.ts';
import type { TrustedParts } from './trust-record.ts';

/** What parts would run, load and send, in lines; of one that was trusted before only what changed. */
export function shownParts(parts: readonly Part[], trusted: TrustedParts): string[] {
  return parts.flatMap(({ name, lines }) => {
    const before = Object.hasOwn(trusted, name) ? trusted[name] : undefined;
    if (!before) return lines.map(visibleLine);
    const changes = differenceLines(before.lines.join('\n'), lines.join('\n'));
    return [
      `${visibleLine(name)} has changed:`,
      ...(changes.length > 0 ? changes : ['a file that it loads or runs']).map((line) => `  ${line}`),
    ];
  });
}
