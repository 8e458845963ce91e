import { begunAlone, type RoomAlone } from './begun-alone.ts';
import { UNKEPT } from './own-words.ts';
import { shareOut } from './share-out.ts';

/** What is there of each list, by names that one offset counts for. */
export type Row = Readonly<Record<string, readonly unknown[]>>;

export interface RowShown<Of extends Row> {
  /** With the first item of each, whole or by its beginning with `whole`; or with none. */
  readonly lists: Of;
  /** The lists whose item has no room even by its beginning. */
  readonly leftOut?: string;
  /** Where those items are, and the others of the row. */
  readonly whole?: string;
}

/** What `leftOut` and `whole` take, the names in it apart. */
const LEFT_OUT_CHARS = 100;

/**
 * The first item of each list, where no answer holds all of them: each whole or by its beginning, and what has no room
 * for that named and kept, so that who goes on behind them passes over nothing. What is no object says of itself nothing,
 * so it is whole or left out.
 */
export async function rowInRoom<Of extends Row>(lists: Of, { room, keep }: RoomAlone): Promise<RowShown<Of>> {
  const row = Object.entries(lists).flatMap(([list, items]) =>
    items.slice(0, 1).map((item) => ({ list, item })),
  );
  const shares = shareOut(
    row.map(({ item }) => jsonLength(item)),
    room,
  );
  const begun: unknown[] = [];
  for (const [at, { item }] of row.entries()) {
    const share = shares[at] ?? 0;
    // Only what is shown is kept, below.
    if (!isObject(item)) begun.push(item);
    else begun.push(...(await begunAlone([item], { room: share, keep: async () => UNKEPT })));
  }
  const names = row.map(({ list }) => list);
  let left = jsonLength(begun) <= room ? room : room - LEFT_OUT_CHARS - jsonLength(names);
  const shown = new Map<string, unknown>();
  for (const [at, { list, item }] of row.entries()) {
    const each = begun[at] ?? item;
    if (jsonLength(each) > left) continue;
    left -= jsonLength(each) + 1;
    const isBegun = isObject(each) && 'whole' in each;
    shown.set(list, isBegun ? { ...each, whole: await keep(JSON.stringify(item)) } : each);
  }
  const others = names.filter((list) => !shown.has(list));
  const all = Object.fromEntries(row.map(({ list, item }) => [list, item]));
  return {
    lists: Object.fromEntries(
      Object.keys(lists).map((list) => [list, shown.has(list) ? [shown.get(list)] : []]),
    ) as unknown as Of, // the same lists, with items of the same kinds
    ...(others.length > 0 ? { leftOut: others.join(', '), whole: await keep(JSON.stringify(all)) } : {}),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
