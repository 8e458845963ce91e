/** Which part of a list is wanted; its total counts all. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** As many from the front as have room as JSON, each whole; one at least. @param room characters */
export function fitting<Item>(items: readonly Item[], room: number): Item[] {
  let left = room;
  const end = items.findIndex((item) => {
    left -= JSON.stringify(item).length + 1;
    return left < 0;
  });
  return end < 0 ? [...items] : items.slice(0, Math.max(end, 1));
}

/** The newest that have room, oldest first. @param newest the newest first */
export function newestFitting<Item>(newest: readonly Item[], room: number): Item[] {
  return fitting(newest, room).reverse();
}
