import type { WaitForRun } from '@nexus/plugin-sdk';
import { runsOfCall } from './begun-runs.ts';
import { familyOf } from './family-of.ts';
import { CALL, JOB_KIND } from './job-kind.ts';
import { isOfUnknownOutcome, isTold, isUnknown } from './kept-steps.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import type { RunRow } from './tables.ts';

/*
 * Whether somebody was told of a run that nobody knows its outcome. That a run has ended so is not enough: it may have
 * been ended by a server that found it left, with nobody there to hear of it. A job, or a step, that takes its error is
 * nobody: what is told is its own end.
 */

interface Db {
  readonly db: RunDatabase['db'] | RunTransaction;
}

type Ended = Pick<RunRow, 'id' | 'parent_id' | 'error' | 'told_at'>;

/**
 * Puts on record that what a run, or a job, came to was handed to somebody who asked for it. What was handed to steps of
 * its family alone is told by it, and on record with it.
 */
async function keepTold(on: RunDatabase, run: Ended): Promise<void> {
  await on.write((trx) => markTold(trx, on, run));
}

async function markTold(trx: RunTransaction, on: RunDatabase, run: Ended): Promise<void> {
  if (!isUnknown(run.error) || isTold(run)) return;
  await trx
    .updateTable('runs_runs')
    .set({ told_at: on.store.now })
    .where('id', '=', run.id)
    .where('told_at', 'is', null)
    .execute();
  for (const each of await handedTo({ db: trx }, run)) await markTold(trx, on, each);
}

/** What of this process's ends is told to whom. */
export interface Telling {
  /**
   * Keeps that a run's end is handed over: to a client, once that has the answer that it is in. A process that dies
   * before has told nobody, and who asks next is told.
   */
  tell(
    on: RunDatabase,
    run: Ended,
    to: Pick<NonNullable<WaitForRun['toldTo']>, 'afterAnswer'>,
  ): Promise<void>;
  /** Once what was handed over by now is on record: who has an answer may ask again at once. */
  settled(): Promise<void>;
}

export function createTelling(lasting: RunDatabase): Telling {
  const open = new Set<Promise<void>>();
  return {
    async tell(on, run, { afterAnswer }) {
      if (!isUnknown(run.error) || isTold(run)) return;
      if (!afterAnswer) return keepTold(on, run);
      afterAnswer(() => {
        // Who waited has gone by then, and with it what it waited by.
        const kept = keepTold(lasting, run).finally(() => open.delete(kept));
        open.add(kept);
        return kept;
      });
    },
    async settled() {
      await Promise.allSettled(open);
    },
  };
}

/** The runs whose ends calls of a family's steps have had, though they are none of it. */
async function handedTo(on: Db, { id }: Ended): Promise<RunRow[]> {
  const family = await familyOf(on, id);
  const members = await on.db.selectFrom('runs_runs').selectAll().where('id', 'in', family).execute();
  const handed: RunRow[] = [];
  for (const member of members) {
    if (!isUnknown(member.error)) continue;
    for (const step of await unknownSteps(on, member))
      handed.push(...(await runsOfCall(on, { ...member, step })));
  }
  return handed.filter((run) => !family.includes(run.id));
}

async function unknownSteps({ db }: Db, { id, kind }: RunRow): Promise<string[]> {
  // What its call came to is its answer, an error too.
  if (kind === JOB_KIND) return [CALL];
  const failed = await db
    .selectFrom('runs_steps')
    .select(['name', 'status', 'error'])
    .where('run_id', '=', id)
    .where('status', '=', 'failed')
    .execute();
  return failed.filter(isOfUnknownOutcome).map(({ name }) => name);
}

/** Whether a run ended as of unknown outcome, and neither its own end nor that of one above it was told to anybody. */
export async function isLeftUntold(on: Db, run: Ended): Promise<boolean> {
  if (!isUnknown(run.error) || isTold(run)) return false;
  for (let above = await find(on, run.parent_id); above; above = await find(on, above.goes_on_in)) {
    // What lies below is in its words.
    if (isUnknown(above.error)) return isLeftUntold(on, above);
  }
  return true;
}

/** A run that is left so, or one that was made of it. */
export async function untoldOf(on: Db, run: RunRow): Promise<RunRow | undefined> {
  if (await isLeftUntold(on, run)) return run;
  const made = await on.db
    .selectFrom('runs_runs')
    .selectAll()
    .where('rerun_of', '=', run.id)
    .where('status', '=', 'failed')
    .where('goes_on_in', 'is', null)
    .orderBy('created_at')
    .execute();
  for (const each of made) if (await isLeftUntold(on, each)) return each;
  return undefined;
}

async function find({ db }: Db, id: string | null): Promise<RunRow | undefined> {
  if (id === null) return undefined;
  return db.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirst();
}
