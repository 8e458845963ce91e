import { errorTable, isKnownCode, isRecord, ProtocolError } from '@nexus/core';
import { isToolError, type RunError, ToolError } from '@nexus/plugin-sdk';
import { redactJson } from '@nexus/untrusted/secrets';
import type { RunRow } from './tables.ts';

/** An error as it is stored; JSON-RPC's own keep their number. */
interface StoredError extends RunError {
  readonly rpcCode?: number;
}

function toStoredError(error: unknown): StoredError {
  const message = error instanceof Error ? error.message : String(error);
  if (isToolError(error)) {
    const { code, detail } = error;
    return { code, message, ...(isRecord(detail) ? { detail } : {}) };
  }
  if (error instanceof ProtocolError) {
    const { code, data } = error;
    return { code: 'NEXUS_INTERNAL', message, rpcCode: code, ...(isRecord(data) ? { detail: data } : {}) };
  }
  return { code: 'NEXUS_INTERNAL', message };
}

/** The same, whether it has just been thrown or is read again: so a run that catches it goes the same way. */
export function fromStoredError({ code, message, detail, rpcCode }: StoredError): Error {
  if (rpcCode !== undefined) return new ProtocolError(rpcCode, message, detail);
  const known = isKnownCode(code) ? code : 'NEXUS_INTERNAL';
  return new ToolError(known, message, detail ? { detail } : {});
}

export function readError(text: string | null): StoredError | undefined {
  return text === null ? undefined : (JSON.parse(text) as StoredError); // written by this package
}

/**
 * An error's JSON, whatever its detail holds. Without secrets: it stays on record, and is shown by tools, resources and
 * commands of whoever looks later, where they are no longer in force and so are not known as such.
 */
export function errorText(error: unknown): string {
  const stored = toStoredError(error);
  try {
    return JSON.stringify(redactJson(stored));
  } catch {
    return JSON.stringify(redactJson({ code: stored.code, message: stored.message }));
  }
}

/** Whether the table says of an error that the same may succeed later without a change. */
export function isRetryable(code: string | undefined): boolean {
  return code !== undefined && isKnownCode(code) && errorTable[code].retryable;
}

/** Whether a run failed as a retry may mend: that is no last word under its key. */
export function isWorthAnotherTry({ status, error }: Pick<RunRow, 'status' | 'error'>): boolean {
  return status === 'failed' && isRetryable(readError(error)?.code);
}
