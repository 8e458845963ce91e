import type { RunStatus, Store } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import { type Ground, machine } from '../ground.ts';
import { type Home, openDoor, type RunDatabase } from './door.ts';
import { migrations } from './migrations.ts';
import type { RunSpans } from './run-spans.ts';
import type { RunTables } from './tables.ts';

export type { RunDatabase } from './door.ts';

/** The tables, or a transaction on them. */
export type RunTransaction = Kysely<RunTables>;

export const ENDED = ['completed', 'failed', 'cancelled'] as const satisfies readonly RunStatus[];
/** All others. Named where an index is to find them: by what they are not it finds nothing. */
export const OPEN = ['queued', 'running', 'waiting', 'paused'] as const satisfies readonly RunStatus[];

/** Where what happens to runs is told, so that whoever waits need not ask again and again. */
export const CHANNEL = 'runs';
/** Where a process that had no run says that it has one from now on. */
export const OWNED_CHANNEL = 'runs.owned';
/** Where it is told that something of a run is on record, if anyone follows it from elsewhere. */
export const RECORD_CHANNEL = 'runs.record';
/** Where whoever follows a family from elsewhere says so, now and then. */
export const WATCH_CHANNEL = 'runs.watch';

/** Of a process that runs nothing. */
const NOWHERE: Home = { machine: '', isBound: () => false, lacks: () => undefined };

/** @param options.shutdown from then on nobody waits for a store that is away who does not have to */
export async function openRunDatabase(
  store: Store,
  {
    ground = machine,
    home = NOWHERE,
    shutdown,
    spans,
    onAnswered,
  }: {
    ground?: Ground | undefined;
    home?: Home;
    shutdown?: AbortSignal | undefined;
    spans?: RunSpans | undefined;
    onAnswered?: RunDatabase['onAnswered'];
  } = {},
): Promise<RunDatabase> {
  return openDoor({
    store,
    tables: await store.open<RunTables>('runs', migrations),
    ground,
    home,
    shutdown,
    spans,
    onAnswered,
  });
}

export function hasEnded(status: RunStatus): boolean {
  return ENDED.some((each) => each === status);
}
