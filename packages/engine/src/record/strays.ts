import { type ClaimedRun, historyOf } from './claiming.ts';
import type { RunToken } from './fence.ts';
import { closeInterrupted } from './leaving.ts';
import type { RunDatabase } from './run-database.ts';

/**
 * Takes up what is a process's by the record and in none of its hands, since the answer to the write that gave
 * it the run was lost. Whoever may still have it in hand is refused from then on, as after any claim.
 */
export function takeUp(on: RunDatabase, strays: readonly RunToken[]): Promise<ClaimedRun[]> {
  return on.write(async (trx) => {
    const taken: ClaimedRun[] = [];
    for (const { runId, owner, epoch } of strays) {
      const run = await trx
        .updateTable('runs_runs')
        .set({ epoch: epoch + 1, updated_at: on.store.now })
        .where('id', '=', runId)
        .where('owner', '=', owner)
        // By this very write, where its own answer was lost.
        .where('epoch', 'in', [epoch, epoch + 1])
        .where('status', '=', 'running')
        .returningAll()
        .executeTakeFirst();
      if (!run) continue;
      await closeInterrupted(trx, on, runId);
      taken.push({ run, ...(await historyOf(trx, runId)) });
    }
    return taken;
  });
}
