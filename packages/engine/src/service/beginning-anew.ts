import type { RunBeginning } from '@nexus/plugin-sdk';
import { assertChoices } from '../execution/assert-choices.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { concurrencyOf } from '../record/turns.ts';
import { fromStored } from '../record/values.ts';
import type { Kinds } from '../worker/kinds.ts';

/**
 * What a run begins with again: as it began, or with another input, which its kind holds to what a first start is held to.
 * @param given undefined for its own
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export async function beginningAnew(
  { db }: RunDatabase,
  kinds: Kinds,
  run: RunRow,
  given: unknown,
): Promise<Pick<RunBeginning<unknown>, 'input' | 'title' | 'concurrency'>> {
  const { id, title, kind: name, version } = run;
  const asBefore = { title, concurrency: concurrencyOf(run) };
  if (given === undefined) return { ...asBefore, input: await fromStored(db, id, run.input) };
  const known = kinds.get({ name, version });
  assertChoices(known, given);
  const { kind } = (await known?.load()) ?? {};
  if (!kind?.anew) return { ...asBefore, input: given };
  return kind.anew(given, await fromStored(db, id, run.definition));
}
