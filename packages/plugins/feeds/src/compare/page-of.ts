import { fittingEach, jsonLength, nextPage, type Results } from '@nexus/plugin-sdk';
import type { CompareAnswer, FeedSummary, Shown, ShownPart } from './task.ts';

/** As many items of each list as one answer holds, since one offset counts for all of them. */
export function pageOf(
  answer: CompareAnswer,
  { offset }: Pick<ShownPart, 'offset'>,
  results: Pick<Results, 'maxChars'>,
): CompareAnswer & { readonly nextOffset?: number } {
  const lists: readonly Shown<unknown>[] = [
    ...[answer.a, answer.b].flatMap(({ withoutKey, doubled, unreadable }) => [
      withoutKey,
      doubled,
      unreadable,
    ]),
    ...[answer.changed, answer.onlyInA, answer.onlyInB],
  ];
  const most = fittingEach(
    lists.map(({ shown }) => shown),
    results,
    jsonLength(withMost(answer, 0)),
  );
  const longest = Math.max(...lists.map(({ count }) => count));
  return { ...withMost(answer, most), ...nextPage(offset, most, longest) };
}

function withMost(answer: CompareAnswer, most: number): CompareAnswer {
  const firstOf = <Item>({ count, shown }: Shown<Item>) => ({ count, shown: shown.slice(0, most) });
  const sideOf = (side: FeedSummary) => ({
    ...side,
    withoutKey: firstOf(side.withoutKey),
    doubled: firstOf(side.doubled),
    unreadable: firstOf(side.unreadable),
  });
  return {
    ...answer,
    a: sideOf(answer.a),
    b: sideOf(answer.b),
    changed: firstOf(answer.changed),
    onlyInA: firstOf(answer.onlyInA),
    onlyInB: firstOf(answer.onlyInB),
  };
}
