import type { RunCaller, Spend } from '@nexus/plugin-sdk';
import type { NewRun } from '../record/creating.ts';
import { rootsOf } from '../record/roots-of.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { concurrencyOf } from '../record/turns.ts';
import { fromStored } from '../record/values.ts';

/** Who has an ended run go on, with what. */
export interface GoOn {
  readonly caller?: RunCaller | undefined;
  readonly cap?: Partial<Spend> | undefined;
}

/**
 * What a run that ended goes on as: under its key, for its user, with the input, the definition and the time that
 * it was given. Nothing is asked of the world again.
 */
export async function goingOn(
  { db }: RunDatabase,
  run: RunRow,
  { caller, cap }: GoOn,
): Promise<Omit<NewRun, 'id' | 'owner'>> {
  const { id, kind, version, title, start_key: key, start_digest: digest, deadline_at: deadline } = run;
  return {
    kind,
    version,
    title,
    input: await fromStored(db, id, run.input),
    definition: await fromStored(db, id, run.definition),
    caller: asUserOf(run, caller),
    cap,
    keepMs: Number(run.keep_ms),
    rerunOf: id,
    concurrency: concurrencyOf(run),
    roots: rootsOf(run),
    inPlaceOf: run,
    ...(key === null ? {} : { key }),
    ...(digest === null ? {} : { keyDigest: digest }),
    ...(deadline === null ? {} : { timeoutMs: Number(deadline) - Number(run.created_at) }),
  };
}

/** Whoever has it go on, it stays its user's: who comes with its key finds it. */
export function asUserOf({ session_id: session, user_id: user }: RunRow, caller?: RunCaller) {
  const own = session === null ? undefined : { session: { id: session } };
  // By name: a call's context has them, and has none of its own to be spread.
  const of: RunCaller | undefined = caller
    ? { session: caller.session, trace: caller.trace, run: caller.run }
    : own;
  return of && { ...of, user: user ?? undefined };
}
