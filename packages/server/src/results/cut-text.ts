/** How far a cut moves back, at most, to fall between two lines. */
const MAX_MOVE_CHARS = 200;

/**
 * The beginning and the end of a text, with a line between them that says what is missing and where it is.
 * @param keepChars how many characters of the text stay, about
 */
export function cutText(text: string, keepChars: number, uri: string): string {
  const half = Math.floor(keepChars / 2);
  const head = text.slice(0, headEnd(text, half));
  const tail = text.slice(tailStart(text, text.length - half));
  const left = text.length - head.length - tail.length;
  const note = `[… ${left} of ${text.length} characters left out; the whole text is the resource ${uri} …]`;
  return `${head.replace(/\n$/, '')}\n${note}\n${tail}`;
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
