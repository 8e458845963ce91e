import {
  beginRun,
  type CallContext,
  capOf,
  type Run,
  type RunKind,
  ToolError,
  takeUpRun,
} from '@nexus/plugin-sdk';
import type { ConsensusState } from '../state.ts';

export interface RunFor<Input> {
  /** An earlier run to go on with. */
  readonly resume: string | undefined;
  /** Of a new run; absent where the call does not say what it is about. */
  readonly input: Input | undefined;
  readonly title: string;
  /** What to do where neither is given: "State the proposal". */
  readonly missing: string;
}

/**
 * The run that a call is about: the earlier one that it names, or a new one.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS where it is about neither
 */
export async function runFor<Input, Output>(
  call: CallContext<ConsensusState>,
  kind: RunKind<ConsensusState, Input, Output>,
  { resume, input, title, missing }: RunFor<Input>,
): Promise<Run> {
  const cap = capOf(call.state.options);
  if (resume !== undefined) return takeUpRun(resume, kind, call, { cap });
  if (input !== undefined) return beginRun(call, kind, { input, title, cap });
  const text = `${missing}, or with resume the runId of an earlier run.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}
