import type { Dialect } from 'kysely';
import type { Signals } from './signals.ts';

/** A database that answers: its tables and what passes beside them. */
export interface Opened {
  readonly dialect: Dialect;
  readonly signals: Signals;
}
