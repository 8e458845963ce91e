import type { Retention } from '@nexus/plugin-sdk';

/** A turn under way has what it needs of its expert with it. */
export const retention: readonly Retention[] = [
  {
    table: 'experts_created',
    holds: 'experts that were created, by their last use',
    age: 'used_at',
    days: 365,
    rows: 5_000,
  },
];
