import type { Plan } from './faults.ts';
import { all, away, cuts, kills, restarts, stops } from './faults.ts';
import type { Store } from './ground.ts';

/** So many runs of all kinds on one ground, while that is hurt in one way. */
export interface Campaign {
  readonly name: string;
  readonly about: string;
  readonly store: Store;
  readonly runs: number;
  /** Over how long they begin, one after the other. */
  readonly overMs: number;
  readonly plan: Plan;
  /** Whether each machine reaches the database by a proxy of its own. */
  readonly isProxied?: true;
}

export const campaigns: readonly Campaign[] = [
  {
    name: 'kills',
    about: 'two servers on Postgres, killed at random and started again',
    store: 'postgres',
    runs: 280,
    overMs: 280_000,
    plan: kills,
  },
  {
    name: 'stops',
    about: 'two servers on Postgres, one of them stopped for up to 60 s at a time',
    store: 'postgres',
    runs: 84,
    overMs: 190_000,
    plan: stops([60, 20, 35, 60]),
  },
  {
    name: 'restarts',
    about: 'two servers, Postgres restarted, fast and immediate in turn',
    store: 'postgres',
    runs: 84,
    overMs: 100_000,
    plan: restarts,
  },
  {
    name: 'away',
    about: 'two servers, Postgres away for a minute, twice',
    store: 'postgres',
    runs: 84,
    overMs: 140_000,
    plan: away([60, 60]),
  },
  {
    name: 'cuts',
    about: 'two servers whose connections to Postgres break, or fall silent',
    store: 'postgres',
    runs: 84,
    overMs: 150_000,
    plan: cuts,
    isProxied: true,
  },
  {
    name: 'sqlite',
    about: 'one server with two bridges on SQLite, killed at random and started again',
    store: 'sqlite',
    runs: 70,
    overMs: 80_000,
    plan: kills,
  },
  {
    name: 'all',
    about: 'two servers on Postgres and all of these faults in turn',
    store: 'postgres',
    runs: 84,
    overMs: 150_000,
    plan: all,
    isProxied: true,
  },
];
