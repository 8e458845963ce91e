import type { AnyDatabase } from '@nexus/plugin-sdk';
import type { Dialect } from 'kysely';
import type { Ahead } from './ahead.ts';
import type { KeptFile } from './kept-file.ts';
import type { Signals } from './signals.ts';

/** A database that answers: its tables and what passes beside them. */
export interface Opened extends Ahead {
  readonly dialect: Dialect;
  readonly signals: Signals;
  /** Of the embedded database: the transaction that is open now is answered before the disk has it. */
  readonly withoutDisk?: ((trx: AnyDatabase) => void) | undefined;
  /** Of the embedded database. */
  readonly kept?: KeptFile | undefined;
}
