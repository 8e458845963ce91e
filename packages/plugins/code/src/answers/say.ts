import { counted, OWN_SENTENCES, visibleLine, visibleName } from '@nexus/primitives';

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
  if (shown === 0) return `0 of ${least}${all}${OWN_SENTENCES.offsetIsPast()}`;
  const rest = nextOffset === undefined ? '' : OWN_SENTENCES.offsetGivesNext(nextOffset);
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
  const head = OWN_SENTENCES.unreadForSymbols(counted(unread.total, 'file'));
  return [[head, ...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')];
}
