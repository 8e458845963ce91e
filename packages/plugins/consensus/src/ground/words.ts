/** In one line, with one space between words: how texts are compared and listed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
