/** Longer lines are cut around the match, so that minified code can't fill an answer. */
const MAX_LINE_CHARACTERS = 300;
/** What is shown before the match in a line that is cut. */
const LEAD_CHARACTERS = 60;

/** @param column in characters, from 0: what must stay visible */
export function cutLine(line: string, column: number): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const start = Math.max(0, Math.min(column - LEAD_CHARACTERS, line.length - MAX_LINE_CHARACTERS));
  const part = line.slice(start, start + MAX_LINE_CHARACTERS);
  return `${start > 0 ? '…' : ''}${part}${start + part.length < line.length ? '…' : ''}`;
}
