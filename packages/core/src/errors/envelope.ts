import type { ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { isRecord } from '../json-type.ts';
import { messageOf, plainJson } from './plain-json.ts';
import { type ErrorCategory, errorTable, isKnownCode } from './table.ts';

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
  if (!isKnownCode(error.code)) return undefined;
  const { category, retryable } = errorTable[error.code];
  if (category === 'internal') return undefined;
  const message = messageOf(error);
  // A plugin's detail may be anything; what can't be written would leave the caller without an answer.
  const detail = plainJson(error.detail);
  const envelope: ErrorEnvelope = {
    code: error.code,
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
