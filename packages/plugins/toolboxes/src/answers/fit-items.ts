/** As many items from the front as have room in so many characters of JSON; at least one. */
export function fitItems<Item>(items: readonly Item[], maxChars: number): Item[] {
  let chars = 0;
  const end = items.findIndex((item) => {
    chars += JSON.stringify(item).length + 1;
    return chars > maxChars;
  });
  return end === -1 ? [...items] : items.slice(0, Math.max(end, 1));
}
