import { ToolError } from '@nexus/plugin-sdk';
import { mayRetry } from '../annotations/hints.ts';
import type { CallFailure } from '../errors/failure.ts';
import type { Call } from './call.ts';

/** A call from inside a tool of which nobody knows what it did. */
export interface LostCall {
  readonly toolName: string;
  readonly message: string;
}

const UNKNOWN = 'NEXUS_OUTCOME_UNKNOWN';
/** What says that a call has not ended: it goes on with the answers that it waits for, or as a job. */
const NO_END: ReadonlySet<string> = new Set(['NEXUS_INPUT_REQUIRED', 'NEXUS_STILL_RUNNING']);

/** Puts a call that failed with an unknown outcome on the record of the call from inside which it was made. */
export function noteLost({ tool, outer }: Call, failure: CallFailure | undefined): void {
  if (outer && failure?.code === UNKNOWN) outer.lost ??= { toolName: tool.name, message: failure.message };
}

/**
 * Why a call that failed is of unknown outcome itself, whatever its tool makes of it: a call that it had made is. Whoever
 * goes by the tool's own error, and makes the call again, would do that one twice. A tool that states that it may run
 * again answers for what it calls.
 * @returns undefined where its own error stands
 */
export function lostWithin({ tool, lost }: Call, failure: CallFailure | undefined): ToolError | undefined {
  if (!lost || !failure || failure.code === UNKNOWN || NO_END.has(failure.code)) return undefined;
  if (mayRetry(tool.hints)) return undefined;
  const own = failure.category === 'internal' || failure.category === 'protocol' ? '' : `${failure.message} `;
  const text = `${own}${tool.name} had called ${lost.toolName}, and nobody knows what came of that: ${lost.message}`;
  return new ToolError(UNKNOWN, text, { detail: { tool: lost.toolName } });
}
