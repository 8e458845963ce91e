import { likeness, type Vector } from './vectors.ts';

/**
 * Groups what is alike: the two groups whose members are most alike on average are made one, as long as that is at
 * least `threshold` (average linkage). Of equals the first go first, so the same list gives the same groups.
 * @returns places in the list, groups and members in their order; the largest group first
 */
export function clustersOf(vectors: readonly Vector[], threshold: number): number[][] {
  const groups: (number[] | undefined)[] = vectors.map((_, at) => [at]);
  // Sums of likeness over all pairs of two groups; the average is that by the product of their sizes.
  const sums = vectors.map((vector, at) =>
    Float64Array.from(vectors, (other, place) => (place === at ? 0 : likeness(vector, other))),
  );
  const best = groups.map((_, at) => bestFor(at, groups, sums));
  for (;;) {
    let from = -1;
    for (let at = 0; at < groups.length; at += 1) {
      if (groups[at] && (from === -1 || (best[at]?.average ?? 0) > (best[from]?.average ?? 0))) from = at;
    }
    const match = from === -1 ? undefined : best[from];
    if (!match || match.other === -1 || match.average < threshold) break;
    const [kept, gone] = from < match.other ? [from, match.other] : [match.other, from];
    groups[kept] = [...(groups[kept] ?? []), ...(groups[gone] ?? [])];
    groups[gone] = undefined;
    for (let at = 0; at < groups.length; at += 1) addRow(sums, { at, kept, gone });
    for (let at = 0; at < groups.length; at += 1) {
      if (!groups[at]) continue;
      const other = best[at]?.other;
      if (at === kept || other === kept || other === gone) best[at] = bestFor(at, groups, sums);
      else
        best[at] = better(best[at] as Match, { other: kept, average: averageOf(at, kept, { groups, sums }) });
    }
  }
  return groups
    .flatMap((group) => (group ? [[...group].sort((a, b) => a - b)] : []))
    .sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}

interface Match {
  /** -1 where there is none. */
  readonly other: number;
  readonly average: number;
}

type Sums = readonly Float64Array[];
type Groups = readonly (readonly number[] | undefined)[];

function addRow(sums: Sums, { at, kept, gone }: { at: number; kept: number; gone: number }): void {
  const row = sums[at];
  const keptRow = sums[kept];
  if (!row || !keptRow || at === kept || at === gone) return;
  const sum = (row[kept] ?? 0) + (row[gone] ?? 0);
  row[kept] = sum;
  keptRow[at] = sum;
}

function averageOf(at: number, other: number, { groups, sums }: { groups: Groups; sums: Sums }): number {
  const size = (groups[at]?.length ?? 0) * (groups[other]?.length ?? 0);
  return size === 0 ? 0 : (sums[at]?.[other] ?? 0) / size;
}

function bestFor(at: number, groups: Groups, sums: Sums): Match {
  let best: Match = { other: -1, average: 0 };
  for (let other = 0; other < groups.length; other += 1) {
    if (other === at || !groups[other]) continue;
    best = better(best, { other, average: averageOf(at, other, { groups, sums }) });
  }
  return best;
}

function better(one: Match, other: Match): Match {
  if (other.average > one.average) return other;
  if (other.average < one.average || other.average === 0) return one;
  return other.other < one.other ? other : one;
}
