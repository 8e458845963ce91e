import type { CallContext } from '../../context.ts';
import type { Spend } from '../../models/ledger.ts';
import type { RunContract, RunKind } from '../run-kind.ts';
import type { Run } from '../runs.ts';
import { startOptions } from './start-options.ts';

/** What a run that a call starts is given. */
export interface BeginRun<Input> {
  readonly input: Input;
  /** For people; cut to a line. */
  readonly title: string;
  /** See `StartRun.definition`. */
  readonly definition?: unknown;
  /** From now; then the run fails, and what is done is kept. */
  readonly timeoutMs?: number | undefined;
  /** What it and its children may spend; there it pauses. */
  readonly cap?: Partial<Spend> | undefined;
}

/**
 * Starts a run for a call, or finds the one that the same call began before its server died, or goes on with
 * what it had done before it was cancelled. Of a call from a run's step it is that run's child. A plugin's tool
 * of long work is this and `followRun`, under the flag `isResumable`.
 * @throws {ToolError} NEXUS_CONFLICT when the call's key stands for another input
 */
export function beginRun<State, Input, Output>(
  call: CallContext<State>,
  kind: RunKind<State, Input, Output> | RunContract<Input, Output>,
  run: BeginRun<Input>,
): Promise<Run> {
  return call.host.runs.start(kind, run.input, startOptions(call, run));
}
