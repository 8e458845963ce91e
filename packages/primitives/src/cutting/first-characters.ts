/**
 * As many characters of a text as have room, none halved; none where there is room for none.
 * @param cost of a text: that of two is the sum of theirs, less what nothing costs
 */
export function firstCharacters(text: string, room: number, cost: (part: string) => number): string {
  const ofNothing = cost('');
  let left = room - ofNothing;
  let end = 0;
  for (const character of text) {
    left -= cost(character) - ofNothing;
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
