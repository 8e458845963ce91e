/** The lines that say that a step begins, of which reports tell and the record: each is written by who tells first. */
export interface Beginnings {
  /** Of a line that is reported: whether it stands nowhere yet. */
  isNews(line: string): boolean;
  /** The same of a beginning that is on record. */
  isUntold(line: string): boolean;
  /** Whether a line is that of a step that has begun. */
  hasBegun(line: string): boolean;
}

/** Several steps may begin by the same line: as often as either tells of it, it is written. */
export function createBeginnings(): Beginnings {
  const reported = new Map<string, number>();
  const recorded = new Map<string, number>();
  const tell = (line: string, own: Map<string, number>, others: ReadonlyMap<string, number>) => {
    const count = (own.get(line) ?? 0) + 1;
    own.set(line, count);
    return count > (others.get(line) ?? 0);
  };
  return {
    isNews: (line) => tell(line, reported, recorded),
    isUntold: (line) => tell(line, recorded, reported),
    hasBegun: (line) => reported.has(line) || recorded.has(line),
  };
}
