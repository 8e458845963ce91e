import type { ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { isRecord } from '../json-type.ts';
import { messageOf, plainJson } from './plain-json.ts';
import { type ErrorCategory, errorTable, isKnownCode, type KnownErrorCode } from './table.ts';

/** The key of the envelope in a result's `_meta`. */
export const ERROR_META_KEY = 'nexus/error';

/** What a client reads to tell errors apart without parsing text. */
export interface ErrorEnvelope {
  readonly code: string;
  readonly category: ErrorCategory;
  readonly retryable: boolean;
  readonly message: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * A tool error as it leaves: `isError`, readable text, and the envelope in `_meta`. The only place that
 * makes a result with `isError: true`.
 * @returns undefined when the error must leave as JSON-RPC -32603: its code is unknown, or internal
 */
export function toErrorResult(error: ToolError): ToolCallResult | undefined {
  if (!isKnownCode(error.code) || errorTable[error.code].category === 'internal') return undefined;
  return asResult({ message: messageOf(error), detail: error.detail }, error.code);
}

/** A fault within a run, which is on record and can be gone on with, as any run that failed. */
export function toFaultResult(told: {
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}): ToolCallResult {
  return asResult(told, 'NEXUS_INTERNAL');
}

function asResult(
  { message, detail: given }: Pick<ToolError, 'message' | 'detail'>,
  code: KnownErrorCode,
): ToolCallResult {
  const { category, retryable } = errorTable[code];
  // A plugin's detail may be anything; what can't be written would leave the caller without an answer.
  const detail = plainJson(given);
  const envelope: ErrorEnvelope = {
    code,
    category,
    retryable,
    message,
    ...(isRecord(detail) ? { detail } : {}),
  };
  return {
    content: [{ type: 'text', text: message }],
    isError: true,
    _meta: { [ERROR_META_KEY]: envelope },
  };
}
