import { type Log, type ToolCallResult, wayOnText } from '@nexus/plugin-sdk';
import { toErrorResult, toFaultResult } from './envelope.ts';
import { toolErrorOf } from './exhausted.ts';
import { plainJson } from './plain-json.ts';
import { AnsweredError, JSON_RPC, ProtocolError } from './protocol-error.ts';

interface Exit {
  readonly log: Log;
  redact<Value>(value: Value): Value;
}

/**
 * What a call that failed answers: a tool error becomes a result; anything else is logged with its cause and
 * leaves as -32603, or where a run came to it as a result that says how that is gone on with.
 * @throws {ProtocolError}
 */
export function answerFailure(
  tool: { readonly name: string; readonly plugin: string },
  error: unknown,
  { log, redact }: Exit,
): ToolCallResult {
  if (error instanceof ProtocolError) {
    const { code } = error;
    const [message, data] = [redact(error.message), redact(plainJson(error.data))];
    throw error instanceof AnsweredError
      ? new AnsweredError(error.whose, { code, message, data }, error)
      : new ProtocolError(code, message, data, error);
  }
  const told = toolErrorOf(error);
  const result = told && toErrorResult(told);
  if (result) return redact(result);
  const correlationId = crypto.randomUUID();
  log.error('a tool failed', { tool: tool.name, plugin: tool.plugin, correlationId, err: error });
  const text = `Internal error in ${tool.name}; the server's log has its cause under ${correlationId}`;
  const { runId, status } = told?.detail ?? {};
  if (told && typeof runId === 'string') {
    const message = `${text}\n${wayOnText(told.message)}`.trimEnd();
    return redact(toFaultResult({ message, detail: { correlationId, runId, status } }));
  }
  throw new ProtocolError(JSON_RPC.internalError, text, { correlationId }, error);
}
