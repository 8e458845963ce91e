import type { RunStatus } from '@nexus/plugin-sdk';

/** Each by its name, so that none is forgotten: the types hold them to those of runs. */
const known = {
  queued: true,
  running: true,
  waiting: true,
  paused: true,
  completed: true,
  failed: true,
  cancelled: true,
} satisfies Record<RunStatus, true>;

/** What runs may be asked for by. */
export const runStatuses = Object.keys(known) as readonly RunStatus[];
