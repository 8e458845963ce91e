import type { Retention } from '@nexus/plugin-sdk';

const parts = [
  {
    table: 'memory_search',
    holds: 'words of an entry, to find it by',
    by: { sqlite: 'rowid', postgres: 'entry_id' },
    of: 'id',
  },
  { table: 'memory_versions', holds: 'what a key held before', by: 'entry_id', of: 'id' },
] as const;

export const retention: readonly Retention[] = [
  {
    table: 'memory_entries',
    holds: 'what was remembered for one session',
    age: 'updated_at',
    days: 30,
    only: `backend = 'session'`,
    parts,
  },
  {
    table: 'memory_entries',
    holds: 'what a project knows',
    age: 'updated_at',
    days: 1_825,
    rows: 100_000,
    only: `backend <> 'session'`,
    parts,
  },
  {
    table: 'memory_versions',
    holds: 'what a key held before',
    age: 'written_at',
    days: 365,
    only: 'version < (select entry.version from memory_entries entry where entry.id = memory_versions.entry_id)',
  },
  {
    table: 'memory_versions',
    holds: 'what a key held more than fifty writes ago',
    age: 'written_at',
    days: 0,
    only: 'version < (select entry.version - 50 from memory_entries entry where entry.id = memory_versions.entry_id)',
  },
];
