import {
  AnsweredError,
  ERROR_META_KEY,
  type ErrorEnvelope,
  JSON_RPC,
  type KnownErrorCode,
  ProtocolError,
  toErrorResult,
} from '@nexus/core';
import { asToolCallResult, type JobStatus, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';

/** What a call came to, as it is kept: the result as it left, or the JSON-RPC error. */
export type Ending =
  | { readonly result: ToolCallResult }
  | {
      readonly error: {
        readonly code: number;
        readonly message: string;
        readonly data?: unknown;
        /** Which server answered with it, where that is not Nexus itself. */
        readonly whose?: string;
      };
    };

export async function endingOf(run: Promise<ToolCallResult>): Promise<Ending> {
  try {
    return { result: await run };
  } catch (error) {
    const code = error instanceof ProtocolError ? error.code : JSON_RPC.internalError;
    const data = error instanceof ProtocolError ? error.data : undefined;
    const message = error instanceof Error ? error.message : String(error);
    const whose = error instanceof AnsweredError ? { whose: error.whose } : {};
    return { error: { code, message, ...(data === undefined ? {} : { data }), ...whose } };
  }
}

/** @throws {ProtocolError} where the call came to one */
export function resultOf(ending: Ending): ToolCallResult {
  if ('result' in ending) return ending.result;
  const { code, message, data, whose } = ending.error;
  throw whose === undefined
    ? new ProtocolError(code, message, data)
    : new AnsweredError(whose, { code, message, data });
}

/** As MCP 2025-11-25 has it: a call whose result has `isError` is a failed task. */
export function statusOfEnding(ending: Ending): Extract<JobStatus, 'completed' | 'failed'> {
  return 'result' in ending && !ending.result.isError ? 'completed' : 'failed';
}

/** The code of the error table that a failed call ended with. */
export function codeOf(ending: Ending): string | undefined {
  const envelope = 'result' in ending ? ending.result._meta?.[ERROR_META_KEY] : undefined;
  return (envelope as ErrorEnvelope | undefined)?.code;
}

export function messageOf(ending: Ending): string | undefined {
  if ('error' in ending) return ending.error.message;
  const { isError, content } = asToolCallResult(ending.result);
  return isError ? content.find(({ text }) => text)?.text : undefined;
}

export function errorEnding(code: KnownErrorCode, message: string): Ending {
  const result = toErrorResult(new ToolError(code, message));
  return result ? { result } : { error: { code: JSON_RPC.internalError, message } };
}
