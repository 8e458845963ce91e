import { type CallContext, fittingEach, jsonLength, nextPage } from '@nexus/plugin-sdk';
import { rowInRoom } from '@nexus/primitives';
import type { CompareAnswer, FeedSummary, Shown, ShownPart } from './task.ts';
import { withoutEmptyLists } from './without-empty-lists.ts';

/** Where the next page begins, and what has no room on this one. */
export interface Page {
  readonly nextOffset?: number;
  readonly leftOut?: string;
  readonly whole?: string;
}

/** Beside what the answer says of each list. */
const NEXT_CHARS = 30;

/**
 * As many items of each list as one answer holds, since one offset counts for all of them; of a row that none holds, the
 * beginnings.
 */
export async function pageOf(
  answer: CompareAnswer,
  { offset }: Pick<ShownPart, 'offset'>,
  context: CallContext<unknown>,
): Promise<CompareAnswer & Page> {
  const { results } = context.host;
  const all = listsOf(answer);
  const items = Object.fromEntries(Object.entries(all).map(([name, { shown }]) => [name, shown]));
  const empty = withItems(answer, {});
  const most = fittingEach(Object.values(items), results, jsonLength(empty));
  const first = Object.fromEntries(Object.entries(items).map(([name, each]) => [name, each.slice(0, most)]));
  const longest = Math.max(...Object.values(all).map(({ count }) => count));
  const next = nextPage(offset, most, longest);
  // Text and structure say each item once.
  const beside = jsonLength(empty) + withoutEmptyLists(empty).length;
  const room = Math.floor((results.maxChars - beside) / 2) - NEXT_CHARS;
  if (most > 1 || jsonLength(Object.values(first)) <= room) return { ...withItems(answer, first), ...next };
  const { lists, ...more } = await rowInRoom(first, {
    room,
    keep: async (text) => (await results.keep({ text, mimeType: 'application/json' }, context)).uri,
  });
  return { ...withItems(answer, lists), ...next, ...more };
}

/** By the names that an answer says of them. */
function listsOf({
  a,
  b,
  changed,
  onlyInA,
  onlyInB,
}: CompareAnswer): Readonly<Record<string, Shown<unknown>>> {
  const sideOf = (name: string, { withoutKey, doubled, unreadable }: FeedSummary) => ({
    [`${name}.withoutKey`]: withoutKey,
    [`${name}.doubled`]: doubled,
    [`${name}.unreadable`]: unreadable,
  });
  return { ...sideOf('a', a), ...sideOf('b', b), changed, onlyInA, onlyInB };
}

function withItems(answer: CompareAnswer, items: Readonly<Record<string, readonly unknown[]>>) {
  const listed = <Item>(name: string, { count }: Shown<Item>): Shown<Item> => ({
    count,
    shown: (items[name] ?? []) as Item[], // of this list
  });
  const sideOf = (name: string, side: FeedSummary): FeedSummary => ({
    ...side,
    withoutKey: listed(`${name}.withoutKey`, side.withoutKey),
    doubled: listed(`${name}.doubled`, side.doubled),
    unreadable: listed(`${name}.unreadable`, side.unreadable),
  });
  return {
    ...answer,
    a: sideOf('a', answer.a),
    b: sideOf('b', answer.b),
    changed: listed('changed', answer.changed),
    onlyInA: listed('onlyInA', answer.onlyInA),
    onlyInB: listed('onlyInB', answer.onlyInB),
  };
}
