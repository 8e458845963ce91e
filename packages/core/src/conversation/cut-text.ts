/**
 * Head and tail of a text that is too long, with a line between them that says what is missing. The head
 * gets two thirds: that is where results say what they are.
 */
export function cutText(text: string, maxChars: number, where = ''): string {
  if (text.length <= maxChars) return text;
  const head = wholeCharacters(text, 0, Math.ceil((maxChars * 2) / 3));
  const tail = wholeCharacters(text, text.length - Math.floor(maxChars / 3), text.length);
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing} of ${text.length} characters left out${where} …]\n${tail}`;
}

/** A slice that halves no character. */
function wholeCharacters(text: string, from: number, to: number): string {
  const isLow = (at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return text.slice(isLow(from) ? from + 1 : from, isLow(to) ? to - 1 : to);
}
