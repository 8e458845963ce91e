import type { Retention } from '@nexus/plugin-sdk';

export const retention: readonly Retention[] = [
  {
    table: 'consensus_votes',
    holds: 'votes with how they turned out, by which voters are weighed',
    age: 'created_at',
    days: 365,
    rows: 20_000,
    parts: [{ table: 'consensus_ballots', holds: 'ballots of a vote', by: 'vote_id', of: 'id' }],
  },
];
