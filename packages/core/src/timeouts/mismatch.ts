import type { Log } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import type { CallFailure } from '../errors/failure.ts';

/** How long the official SDK's client waits unless told otherwise (`DEFAULT_REQUEST_TIMEOUT_MSEC`). */
export const MCP_SDK_DEFAULT_MS = 60_000;

/** Rows hold at most this many characters of an error's text, the ellipsis of a cut one included. */
const MAX_ERROR_CHARS = 500;
/** For how much of it is left out. */
const LEFT_OUT_CHARS = 40;

/**
 * One row of `mcp-telemetry/timeout-mismatch-events.jsonl`: a call whose budget exceeds what its client
 * will wait, since it asked for no progress.
 */
export interface MismatchEvent {
  /** UUID; also in the WARN logged at the start, to join the two. */
  readonly eventId: string;
  readonly toolName: string;
  readonly configuredTimeoutMs: number;
  readonly mcpSdkDefaultMs: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  readonly outcome: 'success' | 'error';
  readonly errorCategory?: string;
  /** First line of the error's text, at most 500 characters. */
  readonly errorMessage?: string;
}

export interface Mismatch {
  readonly eventId: string;
  readonly toolName: string;
  readonly budgetMs: number;
}

export function startMismatch(call: { toolName: string; budgetMs: number }): Mismatch {
  return { eventId: crypto.randomUUID(), ...call };
}

/** Says at the start of such a call that its client is likely to give up on it; once a session and tool, each call has its row. */
export function warnOfMismatch({ eventId, toolName, budgetMs }: Mismatch, log: Log): void {
  log.warn(
    'MCP tool budget exceeds client default and no progressToken received: the client is likely to give up before the server-side deadline',
    { tool: toolName, configuredTimeoutMs: budgetMs, mcpSdkDefaultMs: MCP_SDK_DEFAULT_MS, eventId },
  );
}

/** Says of a row that it is there, where no warning at the start has its id: a log of warnings alone joins to every row. */
export function logRow({ eventId, toolName, durationMs }: MismatchEvent, log: Log): void {
  log.warn('A call without progressToken, of a tool whose budget exceeds the client default, is over', {
    tool: toolName,
    durationMs,
    eventId,
  });
}

export function exceedsClientDefault(call: { budgetMs: number; hasProgressToken: boolean }): boolean {
  return call.budgetMs > MCP_SDK_DEFAULT_MS && !call.hasProgressToken;
}

export interface CallOutcome {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly error?: CallFailure | undefined;
}

export function mismatchEvent(mismatch: Mismatch, outcome: CallOutcome): MismatchEvent {
  const { error } = outcome;
  return {
    eventId: mismatch.eventId,
    toolName: mismatch.toolName,
    configuredTimeoutMs: mismatch.budgetMs,
    mcpSdkDefaultMs: MCP_SDK_DEFAULT_MS,
    startedAt: new Date(outcome.startedAtMs).toISOString(),
    endedAt: new Date(outcome.endedAtMs).toISOString(),
    durationMs: outcome.endedAtMs - outcome.startedAtMs,
    outcome: error === undefined ? 'success' : 'error',
    ...(error === undefined
      ? {}
      : {
          errorCategory: error.category,
          errorMessage: cutEndCounted(firstLine(error.message), MAX_ERROR_CHARS - LEFT_OUT_CHARS),
        }),
  };
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}
