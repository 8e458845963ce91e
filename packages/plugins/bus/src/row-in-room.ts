import { type CallContext, jsonLength } from '@nexus/plugin-sdk';
import { begunAlone, shareOut, UNKEPT } from '@nexus/primitives';

export interface List {
  readonly total: number;
  readonly items: readonly object[];
}

/** Lists by their names, that one offset counts for. */
export type Lists = Readonly<Record<string, List>>;

export interface RowShown<Of extends Lists> {
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
 * for that named and kept, so that who goes on behind them passes over nothing.
 * @param room characters of JSON, of all together
 */
export async function rowInRoom<Of extends Lists>(
  lists: Of,
  room: number,
  context: CallContext,
): Promise<RowShown<Of>> {
  const keep = async (value: object) => {
    const kept = { text: JSON.stringify(value), mimeType: 'application/json' };
    return (await context.host.results.keep(kept, context)).uri;
  };
  const row = Object.entries(lists).flatMap(([list, { items }]) =>
    items.slice(0, 1).map((item) => ({ list, item })),
  );
  const shares = shareOut(
    row.map(({ item }) => jsonLength(item)),
    room,
  );
  const begun: object[] = [];
  for (const [at, { item }] of row.entries()) {
    // Only what is shown is kept, below.
    begun.push(...(await begunAlone([item], { room: shares[at] ?? 0, keep: async () => UNKEPT })));
  }
  const names = row.map(({ list }) => list);
  let left = jsonLength(begun) <= room ? room : room - LEFT_OUT_CHARS - jsonLength(names);
  const shown = new Map<string, object>();
  for (const [at, { list, item }] of row.entries()) {
    const each = begun[at] ?? item;
    if (jsonLength(each) > left) continue;
    left -= jsonLength(each) + 1;
    shown.set(list, 'whole' in each ? { ...each, whole: await keep(item) } : each);
  }
  const others = names.filter((list) => !shown.has(list));
  const whole = () => keep(Object.fromEntries(row.map(({ list, item }) => [list, item])));
  return {
    lists: Object.fromEntries(
      Object.entries(lists).map(([list, { total }]) => [
        list,
        { total, items: [shown.get(list) ?? []].flat() },
      ]),
    ) as unknown as Of, // the same lists, with items of the same kinds
    ...(others.length > 0 ? { leftOut: others.join(', '), whole: await whole() } : {}),
  };
}
