import type { ToolCallResult } from '@nexus/plugin-sdk';
import { isRecord } from '../json-type.ts';
import { ERROR_META_KEY } from './envelope.ts';
import { toolErrorOf } from './exhausted.ts';
import { messageOf } from './plain-json.ts';
import { ProtocolError } from './protocol-error.ts';
import { errorTable, isKnownCode, type KnownErrorCode } from './table.ts';

/** How a call failed, as records and telemetry state it. */
export interface CallFailure {
  /** Of the error table, or the JSON-RPC code as text. */
  readonly code: string;
  /** Of the error table, or `protocol`. */
  readonly category: string;
  readonly message: string;
}

export function failureOfError(error: unknown): CallFailure {
  if (error instanceof ProtocolError)
    return { code: String(error.code), category: 'protocol', message: messageOf(error) };
  const told = toolErrorOf(error);
  return tableFailure(
    told && isKnownCode(told.code) ? told.code : 'NEXUS_INTERNAL',
    messageOf(told ?? error),
  );
}

/** A tool of a downstream server answers its errors as results, with the envelope if it is a Nexus. */
export function failureOfResult(result: ToolCallResult): CallFailure | undefined {
  if (!result.isError) return undefined;
  // Another server's result may lack what the protocol promises, and is passed on all the same.
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const text = content.filter(isRecord).find((block) => block.type === 'text')?.text;
  const message = typeof text === 'string' ? text : '';
  const envelope = result._meta?.[ERROR_META_KEY];
  const { code, category } = isRecord(envelope) ? envelope : {};
  if (typeof code === 'string' && typeof category === 'string') return { code, category, message };
  return tableFailure('NEXUS_TOOL_FAILED', message);
}

function tableFailure(code: KnownErrorCode, message: string): CallFailure {
  return { code, category: errorTable[code].category, message };
}
