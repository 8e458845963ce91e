export interface LineDifference {
  /** Counted from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** The first line in which two texts differ, whatever their line endings. */
export function firstDifference(before: string, after: string): LineDifference | undefined {
  const [old, now] = [before, after].map((text) => text.split(/\r?\n/)) as [string[], string[]];
  const index = Array.from({ length: Math.max(old.length, now.length) }).findIndex(
    (_, line) => old[line] !== now[line],
  );
  if (index < 0) return undefined;
  return { line: index + 1, before: old[index] ?? '', after: now[index] ?? '' };
}
