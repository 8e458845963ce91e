import { findChild, wasTold } from './begun-before.ts';
import { type ClaimedRun, historyOf } from './claiming.ts';
import { findMade, goOnIn, insertRun, type NewRun } from './creating.ts';
import { addEvent } from './events.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import { keepRun } from './keep-run.ts';
import { goingOnBy } from './kept-steps.ts';
import { hasEnded, type RunDatabase, type RunTransaction } from './run-database.ts';
import { newStep } from './steps.ts';
import type { RunRow } from './tables.ts';
import { fromStored, toStored } from './values.ts';

/** A child, with what it has kept of the run that it goes on from. */
export interface MadeChild {
  readonly run: RunRow;
  readonly history?: Pick<ClaimedRun, 'steps' | 'seq'>;
}

/**
 * A child and the parent's step that it does are one write, so that neither is ever without the other. Where the step
 * had begun one in the run that the parent goes on from, the child goes on from that.
 * @returns undefined for as long as somebody else has that one go on
 */
export function createChild(
  on: RunDatabase,
  token: RunToken,
  { run, step }: { run: NewRun; step: { name: string; title: string; seq: number } },
): OwnerChange<MadeChild | undefined> {
  return {
    async work(trx) {
      const parent = await trx
        .selectFrom('runs_runs')
        .selectAll()
        .where('id', '=', token.runId)
        .executeTakeFirstOrThrow();
      const family = { parent, step: step.name };
      const before = parent.rerun_of === null ? undefined : await begunBefore(trx, on, { run, ...family });
      if (before && before.id !== run.id && !hasEnded(before.status)) return undefined;
      const made = before
        ? await goOnAs(trx, on, { run, before, family })
        : await insertRun(trx, on, run, family);
      const child = made ?? (await findMade(trx, run.id));
      if (!child && before) return undefined;
      if (!child) throw new Error(`the child ${run.id} was not made`);
      await trx
        .insertInto('runs_steps')
        .values({
          ...newStep(token.runId, { ...step, kind: 'child' }),
          status: 'waiting',
          child_id: child.id,
          started_at: on.store.now as never,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await addEvent(trx, on, token.runId, {
        seq: step.seq,
        type: 'step.started',
        step: step.name,
        attempt: 1,
        data: { childId: child.id, title: step.title },
      });
      return { run: child, ...(before ? { history: await historyOf(trx, child.id) } : {}) };
    },
  };
}

interface Family {
  readonly parent: RunRow;
  readonly step: string;
}

function begunBefore(
  trx: RunTransaction,
  on: RunDatabase,
  { run, parent, step }: Family & { readonly run: NewRun },
): Promise<RunRow | undefined> {
  const { kind, input } = run;
  return findChild(trx, on, { parentId: parent.id, step, kind, input: toStored(input).text });
}

/** @returns undefined where it went on already, in this very child or in another run */
async function goOnAs(
  trx: RunTransaction,
  on: RunDatabase,
  { run, before, family }: { readonly run: NewRun; readonly before: RunRow; readonly family: Family },
): Promise<RunRow | undefined> {
  if (before.id === run.id || !(await goOnIn(trx, before, run.id))) return undefined;
  const { id, version, place } = before;
  const going = {
    ...run,
    version,
    definition: await fromStored(trx, id, before.definition),
    place: place ?? undefined,
    // Under another version only a server that has that can go on with it.
    owner: version === run.version ? run.owner : undefined,
    rerunOf: id,
  };
  const made = await insertRun(trx, on, going, family);
  if (made)
    await keepRun(trx, on, {
      from: id,
      to: made,
      rule: goingOnBy(before, await wasTold({ db: trx }, before)),
    });
  return made;
}
