/** What a model gets of one answer at most: in the place of more, it is told how to go on. */
export const MAX_TEXT_CHARACTERS = 22_000;
/**
 * Text and structure together, below what a host's model gets of a result, so that nothing behind the tool cuts it in
 * its middle. An item says more as JSON than as text, so its text stays below {@link MAX_TEXT_CHARACTERS}.
 */
const MAX_CHARACTERS = 2 * MAX_TEXT_CHARACTERS;

export interface Room<Item> {
  /** How long the text of one is, about. */
  readonly textOf: (item: Item) => number;
  /** What else the answer says, in characters as JSON. */
  readonly beside?: number;
}

/** The first items that fit, each whole; one at least. */
export function fitting<Item>(items: readonly Item[], { textOf, beside = 0 }: Room<Item>): Item[] {
  let left = MAX_CHARACTERS - 2 * beside;
  const end = items.findIndex((item, at) => {
    left -= lengthOf(item) + 1 + textOf(item);
    return left < 0 && at > 0;
  });
  return end < 0 ? [...items] : items.slice(0, end);
}

/** Where the next page begins; nothing at the end. */
export function nextPage(offset: number, shown: number, total: number): { readonly nextOffset?: number } {
  const nextOffset = offset + shown;
  return shown > 0 && nextOffset < total ? { nextOffset } : {};
}

/** As JSON, in characters. */
export function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}
