import type { Dialect } from '@nexus/plugin-sdk';
import type { Expression } from 'kysely';

/** Of the statement and not of the moment it is evaluated, so that indexes serve comparisons with it. */
const EPOCH_MS = {
  sqlite: "cast(round(unixepoch('subsec') * 1000) as integer)",
  postgres: 'cast(floor(extract(epoch from statement_timestamp()) * 1000) as bigint)',
} as const satisfies Record<Dialect, string>;

/**
 * The database's clock in epoch milliseconds. Built without kysely, which is loaded at the first `open`.
 * @param testClock a test's time instead, asked at each query
 */
export function databaseClock(dialect: Dialect, testClock?: () => number): Expression<number> {
  let known: { text: string; node: never } | undefined;
  return {
    get expressionType() {
      return undefined;
    },
    // The same node for the same text: who keeps statements tells by it that they still hold.
    toOperationNode() {
      const text = testClock ? `cast(${Math.round(testClock())} as bigint)` : EPOCH_MS[dialect];
      if (known?.text !== text) {
        known = { text, node: { kind: 'RawNode', sqlFragments: [text], parameters: [] } as never };
      }
      return known.node;
    },
  };
}
