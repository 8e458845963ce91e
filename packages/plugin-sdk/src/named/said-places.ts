/** A place in a file as a text names it, and what the text says that it holds. */
export interface SaidPlace {
  readonly file: string;
  readonly line: number;
  readonly quote: string;
}

/** Longer lines name no place. */
export const MAX_SAID_LINE_CHARS = 2_000;

/** How a fence begins. */
export const FENCE = /^(?:`{3,}|~{3,})/;

/** The places that lines of a text begin with, each with what is quoted after it or below. */
export function* placesSaidIn(lines: readonly string[]): Generator<SaidPlace> {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.length > MAX_SAID_LINE_CHARS) continue;
    const place = placeAt(line);
    if (!place) continue;
    const { file, number, rest } = place;
    const said = quoteIn(rest);
    if (said !== '') yield { file, line: number, quote: said };
    else {
      const below = quoteBelow(lines.slice(at + 1));
      if (below.quote !== '') yield { file, line: number, quote: below.quote };
      at += below.lines;
    }
  }
}

/** What may stand before a place: the mark of a quote or table, of a list, its number, then of emphasis, code and links. */
const LEAD = [/^(?:[>|] ?){1,4}/, /^(?:[-*+•] |\d{1,3}[.)] )/, /^E\d{1,3}[.:)]? /];
const OPEN = /^[*_`"'“(<[]{1,6}/;
/** A file and then a line, as `a.ts:1`, `a.ts:1-3`, `a.ts:1:5`, `a.ts#L1-L3`, `a.ts, line 1`, `a.ts (lines 1–3)`. */
const FILE = /^[^\s`"'“”:#|,()<>[\]*]{1,400}/;
const LINES =
  /^[`*_]{0,4}(?:[:#]L?(\d{1,7})(?::\d{1,5}| ?[-–—] ?L?\d{1,7})?|,? \(?(?:at )?lines? (\d{1,7})(?: ?(?:[-–—]|to) ?\d{1,7})?\)?)/i;
/** `[what it is](a.ts#L1)`: the place is the link's target. */
const LINKED = /^[*_`]{0,4}\[[^\]]{0,300}\]\(([^)\s]{1,1000})\)/;
const CLOSE = /^(?:[*_`"'”)>\]]|\([^)\s]{1,1000}\)){0,8}/;
const BETWEEN = /^ ?(?:(?:[:–—|=-]|->|=>|→) ?)?/;

interface PlaceOfLine {
  readonly file: string;
  readonly number: number;
  /** What stands after it. */
  readonly rest: string;
}

function placeAt(line: string): PlaceOfLine | undefined {
  const after = LEAD.reduce((left, mark) => left.replace(mark, ''), collapsed(line));
  const linked = LINKED.exec(after);
  const text = after.replace(OPEN, '');
  const direct = placeIn(text);
  if (direct || !linked) return direct;
  const target = placeIn(linked[1] ?? '');
  return target && { ...target, rest: restOf(after.slice(linked[0].length)) };
}

function placeIn(text: string): PlaceOfLine | undefined {
  const file = FILE.exec(text)?.[0];
  if (file === undefined) return undefined;
  const found = LINES.exec(text.slice(file.length));
  if (!found) return undefined;
  const [{ length }, first, second] = found;
  return { file, number: Number(first ?? second), rest: restOf(text.slice(file.length + length)) };
}

/** What follows a place, without the marks that end it. */
export function restOf(text: string): string {
  return text.replace(CLOSE, '').replace(BETWEEN, '').trim();
}

/** White space counts for nothing in what is looked for. */
export function collapsed(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

/** What is quoted after a place: between marks where it begins with some, else all of it. */
function quoteIn(rest: string): string {
  const text = rest.endsWith('|') ? rest.slice(0, -1).trim() : rest;
  const mark = /^[*_]{0,3}(`{1,6}|["“'])/.exec(text);
  if (!mark) return text;
  const open = mark[1] ?? '';
  const inner = text.slice(mark[0].length);
  const close = open === '“' ? '”' : open;
  // The last one: a quote may hold such marks itself, and what explains it seldom does.
  const end = open.startsWith('`') ? endOfCode(inner, open) : inner.lastIndexOf(close);
  return end === -1 ? text : inner.slice(0, end).trim();
}

function endOfCode(inner: string, mark: string): number {
  const runs = [...inner.matchAll(/`+/g)].filter(([run]) => run === mark);
  return runs[0]?.index ?? -1;
}

/** The fence, the quote or the indented lines that follow a place without words of its own. */
function quoteBelow(lines: readonly string[]): { readonly quote: string; readonly lines: number } {
  const start = lines.findIndex((line) => line.trim() !== '');
  const first = lines[start] ?? '';
  const mark = FENCE.exec(first.trim())?.[0];
  if (start === -1 || start > 1) return { quote: '', lines: 0 };
  if (mark !== undefined) {
    const length = lines.slice(start + 1).findIndex((line) => line.trim().startsWith(mark));
    if (length === -1) return { quote: '', lines: 0 };
    const quote = lines.slice(start + 1, start + 1 + length).join('\n');
    return { quote, lines: start + length + 2 };
  }
  const isQuoted = (line: string) =>
    line.trimStart().startsWith('>') || (/^(?: {2}|\t)/.test(line) && line.trim() !== '');
  const found: string[] = [];
  for (const line of lines.slice(start)) {
    if (!isQuoted(line) || placeAt(line)) break;
    found.push(line.trimStart().replace(/^> ?/, ''));
  }
  return { quote: quoteIn(found.join('\n').trim()), lines: found.length === 0 ? 0 : start + found.length };
}
