import { visibleLine, visibleName } from '@nexus/primitives';

/** `1 file`, `2 files`. */
export function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : what.endsWith('s') ? `${what}es` : `${what}s`}`;
}

interface Page {
  readonly shown: number;
  readonly total: number;
  readonly isLowerBound?: boolean | undefined;
  readonly nextOffset?: number | undefined;
}

/** How many there are, and how the rest is had: `20 of 53 hits; offset 20 gives the next.` */
export function sayPage(what: string, { shown, total, isLowerBound, nextOffset }: Page): string {
  const all = counted(total, what);
  const least = isLowerBound ? 'at least ' : '';
  if (shown === total) return `${least}${all}.`;
  const rest = nextOffset === undefined ? '' : `; offset ${nextOffset} gives the next`;
  return `${shown} of ${least}${all}${rest}.`;
}

/** One line each, whatever the paths in them hold. */
export function sayNotes(notes: readonly string[]): string[] {
  return notes.map(visibleLine);
}

/** Items under the path that they are in as a text shows it, in their order. */
export function byFile<Item extends { readonly file: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const files = new Map<string, Item[]>();
  for (const item of items) {
    const path = visibleName(item.file);
    const known = files.get(path);
    if (known) known.push(item);
    else files.set(path, [item]);
  }
  return files;
}

interface Unread {
  readonly total: number;
  readonly files: readonly { readonly file: string; readonly reason: string }[];
}

export function sayUnread(unread: Unread | undefined): string[] {
  if (!unread) return [];
  const named = unread.files.map(({ file, reason }) => `${visibleName(file)}: ${visibleLine(reason)}`);
  const rest = unread.total - named.length;
  const head = `${counted(unread.total, 'file')} could not be read for symbols:`;
  return [[head, ...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')];
}
