import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { mayRetry } from '../annotations/hints.ts';
import type { CallFailure } from '../errors/failure.ts';
import type { Call } from './call.ts';

/** What a tool had done for it of which nobody knows what came of it. */
export interface LostWork {
  readonly words: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, string>>;
}

const UNKNOWN = 'NEXUS_OUTCOME_UNKNOWN';
/** What says that a call has not ended: it goes on with the answers that it waits for, or as a job. */
const NO_END: ReadonlySet<string> = new Set(['NEXUS_INPUT_REQUIRED', 'NEXUS_STILL_RUNNING']);

/** Puts a call that failed with an unknown outcome on the record of the call from inside which it was made. */
export function noteLost({ tool, outer }: Call, failure: CallFailure | undefined): void {
  if (!outer || failure?.code !== UNKNOWN) return;
  outer.lost ??= { words: `called ${tool.name}`, message: failure.message, detail: { tool: tool.name } };
}

/** The same of a run whose end the call was told. */
export function noteLostRun(
  call: Pick<Call, 'lost'>,
  { id, title, message }: Parameters<CallContext['noteUnknown']>[0],
): void {
  call.lost ??= { words: `waited for "${title}" (nexus://runs/${id})`, message, detail: { runId: id } };
}

/**
 * Why a call that failed is of unknown outcome itself, whatever its tool makes of it: a call that it had made is, or a
 * run that it was told of. Whoever goes by the tool's own error, and makes the call again, would do that one twice. A
 * tool that states that it may run again answers for what it calls.
 * @returns undefined where its own error stands
 */
export function lostWithin({ tool, lost }: Call, failure: CallFailure | undefined): ToolError | undefined {
  if (!lost || !failure || failure.code === UNKNOWN || NO_END.has(failure.code)) return undefined;
  if (mayRetry(tool.hints)) return undefined;
  const own = failure.category === 'internal' || failure.category === 'protocol' ? '' : `${failure.message} `;
  const text = `${own}${tool.name} had ${lost.words}, and nobody knows what came of that: ${lost.message}`;
  return new ToolError(UNKNOWN, text, { detail: lost.detail });
}
