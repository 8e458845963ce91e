/** The text in at most so many characters, its lines kept; what was cut ends in an ellipsis. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // By code points, so that no character is cut in two.
  return `${[...text.slice(0, maxChars)].slice(0, -1).join('').trimEnd()}…`;
}
