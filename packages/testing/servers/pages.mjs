/** Cuts lists into pages; with `repeatCursor` the last page names itself as the next. */
export function pages({ pageSize, repeatCursor }) {
  return (key, items, cursor) => {
    const from = cursor === undefined ? 0 : Number(cursor);
    const next = from + (pageSize ?? items.length);
    if (next < items.length) return { [key]: items.slice(from, next), nextCursor: String(next) };
    const last = { [key]: items.slice(from) };
    return repeatCursor ? { ...last, nextCursor: String(from) } : last;
  };
}
