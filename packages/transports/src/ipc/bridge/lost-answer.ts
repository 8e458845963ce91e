import type { Buffer } from 'node:buffer';
import type { JsonRpcMessage } from '@nexus/core';
import { ERROR_META_KEY, JSON_RPC, toErrorResult } from '@nexus/core/errors';
import { isRecord } from '@nexus/core/json-type';
import { ToolError } from '@nexus/plugin-sdk/tool-error';

/**
 * The answer to a request whose own answer died with the owner.
 * @param runId of the run that would have answered it
 */
export function lostAnswer(request: JsonRpcMessage, runId?: string): JsonRpcMessage {
  const stopped = `The server that ran ${nameOf(request)} stopped before it answered`;
  const text =
    runId === undefined
      ? `${stopped}, so its work may be done, half done or not begun. It was not run again. Look at its effect before calling it again.`
      : `${stopped}. Its work is the run ${runId}, which the next server goes on with: resume_run with that runId has its answer, and \`nexus runs ${runId}\` shows it.`;
  return answer(
    request,
    new ToolError('NEXUS_OUTCOME_UNKNOWN', text, runId === undefined ? {} : { detail: { runId } }),
  );
}

/** In the place of a call whose run the next owner goes on with. */
export function resumingRequest({ id, params }: JsonRpcMessage, runId: string): JsonRpcMessage {
  const meta = isRecord(params?._meta) ? { _meta: params._meta } : {};
  const call = { name: 'resume_run', arguments: { runId }, ...meta };
  return { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method: 'tools/call', params: call };
}

/** The answer to a request whose owner may still be at work on it, while this process ends. */
export function leftAnswer(request: JsonRpcMessage, mayRepeat: boolean): JsonRpcMessage {
  const text = `This process ended before ${nameOf(request)} was answered, and the server of the project may still be at work on it.`;
  return answer(
    request,
    mayRepeat
      ? new ToolError('NEXUS_UNAVAILABLE', `${text} Call it again.`)
      : new ToolError('NEXUS_OUTCOME_UNKNOWN', `${text} Look at its effect before calling it again.`),
  );
}

/** The answer to a request that no owner has heard. */
export function unheardAnswer(request: JsonRpcMessage): JsonRpcMessage {
  const text = `There is no server to run ${nameOf(request)}; it was not run. Call it again.`;
  return answer(request, new ToolError('NEXUS_UNAVAILABLE', text));
}

const ENDED_BY_STOP = 'NEXUS_SHUTTING_DOWN';

/** The owner ended the call because it is stopping: the next one can still answer it. */
export function isEndedByStop({ result }: JsonRpcMessage): boolean {
  const meta = isRecord(result?._meta) ? result._meta : {};
  const envelope = meta[ERROR_META_KEY];
  return isRecord(envelope) && envelope.code === ENDED_BY_STOP;
}

/** Whether a line may say so: only then is it worth reading. */
export function saysStop(line: Buffer): boolean {
  return line.includes(ENDED_BY_STOP);
}

function answer({ id, method }: JsonRpcMessage, error: ToolError): JsonRpcMessage {
  const base = { jsonrpc: '2.0', ...(id === undefined ? {} : { id }) } as const;
  return method === 'tools/call'
    ? { ...base, result: { ...toErrorResult(error) } }
    : { ...base, error: { code: JSON_RPC.internalError, message: error.message } };
}

function nameOf({ method, params }: JsonRpcMessage): string {
  return String(method === 'tools/call' ? params?.name : method);
}
