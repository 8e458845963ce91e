/** At most this many values in one completion (MCP 2025-11-25, Completion). */
const MAX_VALUES = 100;

/** The answer to `completion/complete`. */
export interface Completion {
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
}

export function toCompletion(all: readonly string[] = []): Completion {
  return { values: all.slice(0, MAX_VALUES), total: all.length, hasMore: all.length > MAX_VALUES };
}
