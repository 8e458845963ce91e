/** Shorter words stand in any text. */
export const MIN_WORDS_CHARS = 8;

/** In one line, with one space between words: how texts are compared and listed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether words that say something stand in a text, however either is broken into lines. */
export function standsIn(text: string, words: string): boolean {
  const wanted = oneLine(words);
  return wanted.length >= MIN_WORDS_CHARS && oneLine(text).includes(wanted);
}
