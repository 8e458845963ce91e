export interface Cost {
  /** Of a text, in characters; its length where nothing else is said. */
  readonly cost?: (text: string) => number;
  /** For what it shows, to begin with; as much as there is where nothing else is said. */
  readonly first?: number;
}

/**
 * A text that costs at most so many characters, where it can be so short: with less room for what it shows, the more there
 * is to be said beside that.
 * @param make the text with so much room for what it shows
 */
export function within(
  maxChars: number,
  make: (room: number) => string,
  { cost = (text) => text.length, first = maxChars }: Cost = {},
): string {
  let room = first;
  let text = make(room);
  for (let over = cost(text) - maxChars; over > 0 && room > 0; over = cost(text) - maxChars) {
    room = Math.max(0, room - over);
    text = make(room);
  }
  return text;
}
