import type { RunTransaction } from './run-database.ts';
import type { CallRow } from './tables.ts';

/** A call of a tool that must not be made twice, once it is done. */
export type DoneCall = Pick<CallRow, 'tool' | 'digest' | 'input' | 'answer'>;

/** With the end of the step that made them: one write. */
export async function addCalls(
  trx: RunTransaction,
  {
    runId,
    step,
    calls,
  }: { readonly runId: string; readonly step: string; readonly calls: readonly DoneCall[] },
): Promise<void> {
  await trx
    .insertInto('runs_calls')
    .values(calls.map((call, nth) => ({ run_id: runId, step, nth, ...call })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** In characters. */
export function sizeOfCalls(calls: readonly DoneCall[]): number {
  return calls.reduce((sum, { input, answer }) => sum + input.length + answer.length, 0);
}
