import type { ToolCallResult } from '@nexus/plugin-sdk';
import { type CallFailure, failureOfError, failureOfResult } from '../errors/failure.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { ParsedCall } from './call.ts';

/** Takes how a call ended; does not throw, since the call is over. */
export type CallEnded = (failure: CallFailure | undefined) => void;

/** Writes a call down before its tool runs, and how it ended after. */
export interface CallAudit {
  /** Whether calls of a tool are written down. */
  wants(tool: RegisteredTool): boolean;
  /**
   * Undefined where such a call is not written down.
   * @throws {ToolError} where it can't be written, and such calls are to be refused then
   */
  begin(call: ParsedCall): CallEnded | Promise<CallEnded> | undefined;
}

/** Runs the tool between the two records of its call, where it has any. */
export function audited(
  call: ParsedCall,
  audit: CallAudit | undefined,
  work: () => Promise<ToolCallResult>,
): Promise<ToolCallResult> {
  if (!audit?.wants(call.tool)) return work();
  let begun: ReturnType<CallAudit['begin']>;
  try {
    begun = audit.begin(call);
  } catch (error) {
    return Promise.reject(error);
  }
  if (begun === undefined) return work();
  return begun instanceof Promise ? begun.then((ended) => until(ended, work)) : until(begun, work);
}

async function until(ended: CallEnded, work: () => Promise<ToolCallResult>): Promise<ToolCallResult> {
  try {
    const result = await work();
    ended(failureOfResult(result));
    return result;
  } catch (error) {
    ended(failureOfError(error));
    throw error;
  }
}
