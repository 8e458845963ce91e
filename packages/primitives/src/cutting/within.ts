/**
 * A text of at most so many characters, where it can be so short: with less room for what it shows, the more there is to
 * be said beside that.
 * @param make the text with so much room for what it shows
 */
export function within(maxChars: number, make: (room: number) => string): string {
  let room = maxChars;
  let text = make(room);
  while (text.length > maxChars && room > 0) {
    room = Math.max(0, room - (text.length - maxChars));
    text = make(room);
  }
  return text;
}
