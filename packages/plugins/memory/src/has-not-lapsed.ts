import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { type BackendName, backendOf } from './backends.ts';
import type { Memory } from './memory.ts';
import type { Tables } from './tables.ts';

/** Of entries of these backends, those whose time is not over. */
export function hasNotLapsed(clock: Memory['clock'], backends: readonly BackendName[]): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memory_entries'>();
  return eb.and(
    backends.flatMap((backend) => {
      const { lapsesAfterMs } = backendOf(backend);
      if (lapsesAfterMs === undefined) return [];
      return [
        eb.or([eb('backend', '!=', backend), eb(eb('updated_at', '+', lapsesAfterMs), '>', clock.now)]),
      ];
    }),
  );
}
