import { cut } from './cut.ts';

/** The text as one line of at most so many characters; what was cut ends in an ellipsis. */
export function oneLine(text: string, maxChars: number): string {
  // A text of megabytes is not gone through for its first line.
  const head = text.slice(0, maxChars * 4);
  const line = head.replace(/\s+/g, ' ').trim();
  return cut(head.length === text.length ? line : `${line}…`, maxChars);
}
