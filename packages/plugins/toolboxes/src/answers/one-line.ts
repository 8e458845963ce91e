/** The text as one line of at most so many characters; what was cut ends in an ellipsis. */
export function oneLine(text: string, maxChars: number): string {
  // A text of megabytes is not gone through for its first line.
  const head = text.slice(0, maxChars * 4);
  const line = head.replace(/\s+/g, ' ').trim();
  if (line.length <= maxChars && head.length === text.length) return line;
  // By code points, so that no character is cut in two.
  return `${[...line.slice(0, maxChars)].slice(0, -1).join('').trimEnd()}…`;
}
