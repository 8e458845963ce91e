/**
 * Whether what stands at a place is certainly no code: in a line that begins with `//`, or with `* @` as those of a
 * block do. Not where the line could end a text, a template or a comment before that.
 */
export function isInComment(text: string, at: number): boolean {
  const line =
    text
      .slice(Math.max(0, at - MOST_CHARS), at)
      .split(/[\n\r\u2028\u2029]/)
      .at(-1) ?? '';
  return /^\s*(?:\/\/|\*\s+@)/.test(line) && !/['"`]|\*\/|\$\{/.test(line);
}

/** Of a line; in a longer one its begin is not seen, so it counts as code. */
const MOST_CHARS = 500;
