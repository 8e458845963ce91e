import type { Migration, Store } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';

/** How far a workflow's schedule has come, for all servers of the project. */
export interface ScheduleRow {
  file: string;
  /** The last of its times that was dealt with, in epoch milliseconds; at first, when it was first seen. */
  slot: number;
  /** When a run of it was begun last. */
  run_at: number | null;
  /** How many of its times came while no server was there, and when that was found last. */
  missed: number;
  missed_at: number | null;
}

interface ScheduleTables {
  schedules_slots: ScheduleRow;
}

const scheduleMigrations: readonly Migration[] = [
  {
    name: '0001-slots',
    async up(db) {
      await db.schema
        .createTable('schedules_slots')
        .addColumn('file', 'text', (column) => column.primaryKey())
        .addColumn('slot', 'bigint', (column) => column.notNull())
        .addColumn('run_at', 'bigint')
        .addColumn('missed', 'integer', (column) => column.notNull())
        .addColumn('missed_at', 'bigint')
        .execute();
    },
  },
];

export function openSchedules(store: Store): Promise<Kysely<ScheduleTables>> {
  return store.open<ScheduleTables>('schedules', scheduleMigrations);
}

/** @returns the row of a file; one that is new has nothing that was due before */
export async function rowOf(db: Kysely<ScheduleTables>, store: Store, file: string): Promise<ScheduleRow> {
  const find = () => db.selectFrom('schedules_slots').selectAll().where('file', '=', file).executeTakeFirst();
  const found = await find();
  if (found) return { ...found, slot: Number(found.slot) };
  await db
    .insertInto('schedules_slots')
    .values({ file, slot: store.now as never, run_at: null, missed: 0, missed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await find();
  if (!row) throw new Error(`the schedule of ${file} was not put on record`);
  return { ...row, slot: Number(row.slot) };
}

/** @returns whether this server is the one that dealt with it: of several that come, one is */
export async function moveOn(
  db: Kysely<ScheduleTables>,
  store: Store,
  { before, slot, missed, isRun }: { before: ScheduleRow; slot: number; missed: number; isRun: boolean },
): Promise<boolean> {
  const moved = await db
    .updateTable('schedules_slots')
    .set({
      slot,
      ...(isRun ? { run_at: store.now as never } : {}),
      ...(missed > 0 ? { missed: before.missed + missed, missed_at: store.now as never } : {}),
    })
    .where('file', '=', before.file)
    .where('slot', '=', before.slot)
    .returning('file')
    .executeTakeFirst();
  return moved !== undefined;
}
