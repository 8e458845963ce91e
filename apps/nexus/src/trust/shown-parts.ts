import { differenceLines } from '../terminal/difference.ts';
import { oneLine } from '../terminal/table.ts';
import type { Part } from './part.ts';
import type { TrustedParts } from './trust-record.ts';

/** What parts would run, load and send, in lines; of one that was trusted before only what changed. */
export function shownParts(parts: readonly Part[], trusted: TrustedParts): string[] {
  return parts.flatMap(({ name, lines }) => {
    const before = Object.hasOwn(trusted, name) ? trusted[name] : undefined;
    if (!before) return lines.map(oneLine);
    const changes = differenceLines(before.lines.join('\n'), lines.join('\n'));
    return [
      `${oneLine(name)} has changed:`,
      ...(changes.length > 0 ? changes : ['a value that is masked here, or a file that it loads']).map(
        (line) => `  ${line}`,
      ),
    ];
  });
}
