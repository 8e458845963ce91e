import type { ModelMessage } from '../models/message.ts';
import { answeredUsesIn } from '../models/tool-answers.ts';

/** Lines of a file of the project, both ends included, from 1. */
export interface FileLines {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Tools whose answers hold lines of files as they stand. An outline has signatures and a history has what stood there
 * once: neither shows a line.
 */
const SHOW_LINES: readonly string[] = ['read_file', 'search_codebase', 'search_usages'];

/** `src/a.ts: lines 1 to 9 of 9 lines.`, `src/a.ts: Basket.total, lines 3 to 5 of 9 lines.` */
const PART = /^(.{1,4096}): (?:.{1,600}, )?lines \d{1,9} to \d{1,9} of \d{1,9} lines?\./;
/** Between lines of one file that are not next to each other. */
const GAP = '--';
/** `12<tab>text` of a file that is read; of one that is searched, `12:text`, `12-text` around it, and `12 text` of usages. */
const NUMBERED = /^(\d{1,9})[\t:\- ]/;

/** The lines that somebody was shown by the tools of the reading kit, as their answers stand in a history. */
export function linesSeenIn(messages: readonly ModelMessage[]): FileLines[] {
  return answeredUsesIn(messages).flatMap(({ use, result }) => {
    if (result.isError || !SHOW_LINES.includes(use.name)) return [];
    return result.content.flatMap((block) => ('text' in block ? linesShownBy(String(block.text)) : []));
  });
}

/** The lines that an answer of such a tool shows, each after its number, below the name of its file. */
export function linesShownBy(text: string): FileLines[] {
  const shown: FileLines[] = [];
  let file = '';
  for (const line of text.split('\n')) {
    const number = Number(NUMBERED.exec(line)?.[1]);
    if (Number.isNaN(number)) {
      if (line !== GAP) file = PART.exec(line)?.[1] ?? line.trim();
      continue;
    }
    const last = shown.at(-1);
    if (last?.file === file && last.to === number - 1) shown[shown.length - 1] = { ...last, to: number };
    else shown.push({ file, from: number, to: number });
  }
  return shown;
}

/** Lines of files, those of one file that overlap or are next to each other as one, by file and line. */
export function mergedLines(lines: readonly FileLines[]): FileLines[] {
  const merged: FileLines[] = [];
  const byPlace = [...lines].sort((a, b) => (a.file === b.file ? a.from - b.from : a.file < b.file ? -1 : 1));
  for (const each of byPlace) {
    const last = merged.at(-1);
    if (last?.file === each.file && each.from <= last.to + 1) {
      merged[merged.length - 1] = { ...last, to: Math.max(last.to, each.to) };
    } else merged.push(each);
  }
  return merged;
}

/** Whether each line of a place was shown. */
export function hasSeen(seen: readonly FileLines[], { file, from, to }: FileLines): boolean {
  const ofFile = seen.filter((lines) => lines.file === file);
  let next = from;
  for (const lines of [...ofFile].sort((a, b) => a.from - b.from)) {
    if (lines.from <= next && lines.to >= next) next = lines.to + 1;
  }
  return next > to;
}

/** Whether somebody who saw some lines names a place among them that is none of those that are in question. */
export function namesAnother(
  named: readonly FileLines[],
  { seen, than }: { readonly seen: readonly FileLines[]; readonly than: readonly FileLines[] },
): boolean {
  const isOfThem = (place: FileLines) =>
    than.some(({ file, from, to }) => file === place.file && from <= place.to && to >= place.from);
  return named.some((place) => hasSeen(seen, place) && !isOfThem(place));
}
