import type { Pause } from './pause.ts';

/** What is sorted in one go, in about two milliseconds. */
const RUN = 4_096;

type Order = (a: string, b: string) => number;

/** The texts in order, without holding the event loop when there are a million of them. */
export async function sortInTurns(
  texts: readonly string[],
  pause: Pause,
  order: Order = byCodeUnits,
): Promise<string[]> {
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += RUN) {
    runs.push(texts.slice(at, at + RUN).sort(order === byCodeUnits ? undefined : order));
    await pause();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], { pause, order }));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(
  left: readonly string[],
  right: readonly string[],
  { pause, order }: { pause: Pause; order: Order },
): Promise<string[]> {
  if (right.length === 0) return [...left];
  const merged: string[] = [];
  let at = 0;
  let turn = 0;
  for (const text of right) {
    for (let next = left[at]; next !== undefined && order(next, text) <= 0; next = left[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(text);
    if (merged.length - turn > RUN) {
      turn = merged.length;
      await pause();
    }
  }
  for (; at < left.length; at += RUN) {
    merged.push(...left.slice(at, at + RUN));
    await pause();
  }
  return merged;
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
