/** How long the official SDK's client waits unless told otherwise (`DEFAULT_REQUEST_TIMEOUT_MSEC`). */
export const MCP_SDK_DEFAULT_MS = 60_000;

/**
 * One row of `mcp-telemetry/timeout-mismatch-events.jsonl`: a call whose budget exceeds what its client
 * will wait, since it asked for neither progress nor a task.
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

export function exceedsClientDefault(call: {
  budgetMs: number;
  hasProgressToken: boolean;
  isTask: boolean;
}): boolean {
  return call.budgetMs > MCP_SDK_DEFAULT_MS && !call.hasProgressToken && !call.isTask;
}

export interface CallOutcome {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly error?: { readonly category: string; readonly message: string };
}

export function mismatchEvent(
  call: { eventId: string; toolName: string; budgetMs: number },
  outcome: CallOutcome,
): MismatchEvent {
  const { error } = outcome;
  return {
    eventId: call.eventId,
    toolName: call.toolName,
    configuredTimeoutMs: call.budgetMs,
    mcpSdkDefaultMs: MCP_SDK_DEFAULT_MS,
    startedAt: new Date(outcome.startedAtMs).toISOString(),
    endedAt: new Date(outcome.endedAtMs).toISOString(),
    durationMs: outcome.endedAtMs - outcome.startedAtMs,
    outcome: error === undefined ? 'success' : 'error',
    ...(error === undefined
      ? {}
      : { errorCategory: error.category, errorMessage: (error.message.split('\n')[0] ?? '').slice(0, 500) }),
  };
}
