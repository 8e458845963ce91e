/** How far a cut moves back, at most, to fall between two lines. */
const MAX_MOVE_CHARS = 200;

/**
 * The beginning and the end of a text, after a line that says how much is missing and where the whole is; another line
 * stands where it is missing.
 * @param keepChars how many characters of the text stay, about
 */
export function cutText(text: string, keepChars: number, uri: string): string {
  const { head, tail, left } = ends(text, keepChars);
  return `${leftOut(left, text.length, uri)}\n${head}\n[… ${left} characters left out here …]\n${tail}`;
}

/** The same for a text inside a structure, with one line where it is missing, which takes its room of what stays. */
export function cutMember(text: string, keepChars: number, uri: string): string {
  const note = leftOut(text.length, text.length, uri).length;
  const { head, tail, left } = ends(text, Math.max(keepChars - note, keepChars / 4));
  return `${head}\n${leftOut(left, text.length, uri)}\n${tail}`;
}

/** @param also what else is to be known of what is left out */
export function leftOut(left: number, total: number, uri: string, also = ''): string {
  return `[… ${left} of ${total} characters left out; the whole text is the resource ${uri}${also} …]`;
}

function ends(text: string, keepChars: number): { head: string; tail: string; left: number } {
  const half = Math.floor(keepChars / 2);
  const head = text.slice(0, headEnd(text, half));
  const tail = text.slice(tailStart(text, text.length - half));
  const left = text.length - head.length - tail.length;
  // The line break before what is left out stands before the note of it.
  return { head: head.replace(/\n$/, ''), tail, left };
}

function headEnd(text: string, at: number): number {
  const newline = text.lastIndexOf('\n', at);
  if (newline > at - MAX_MOVE_CHARS && newline > 0) return newline + 1;
  return isSplitPair(text, at) ? at - 1 : at;
}

function tailStart(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  if (newline !== -1 && newline < at + MAX_MOVE_CHARS && newline < text.length - 1) return newline + 1;
  return isSplitPair(text, at) ? at + 1 : at;
}

/** Half of a surrogate pair is no character. */
function isSplitPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
