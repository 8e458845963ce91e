import type { Span, ToolCallResult } from '@nexus/plugin-sdk';
import { type CallFailure, failureOfError } from '../errors/failure.ts';
import type { Call, CallSpan } from './call.ts';
import type { CallRequest, Wire } from './call-request.ts';
import { isContinued, linkOf, newSpanId, traceOf, within } from './trace.ts';

/** What a call came to, and when. */
export interface CallOutcome {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly error: CallFailure | undefined;
  /** Whether arguments and result are told, too. */
  readonly withContents: boolean;
  readonly result: ToolCallResult | undefined;
}

/** Makes the call a span of its own, of which all that it calls is part. */
export function beginSpan(call: Call): void {
  const { trace, meta, wire } = call;
  if (wire && !isContinued(trace, meta)) {
    // A trace that begins here begins with this span: the id that was made for its parent is free.
    call.span = { id: trace.parentId, parentId: undefined };
    return;
  }
  const id = newSpanId();
  call.span = { id, parentId: trace.parentId };
  call.trace = within(trace, id);
}

/**
 * A client's call as the MCP server's span of its request; all others as a tool that is executed
 * (semantic-conventions-genai, MCP and GenAI).
 */
export function spanOf(call: Call, { id, parentId }: CallSpan, outcome: CallOutcome): Span {
  const { tool, trace, wire, caller, run, jobId, parsed } = call;
  const { startedAtMs: startMs, endedAtMs: endMs, error, withContents, result } = outcome;
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.type': 'function',
    ...(wire && wireAttributes(wire, caller.session.id)),
    ...(run && { 'nexus.run.id': run.id, 'nexus.step.name': run.step }),
    ...(jobId === undefined ? {} : { 'nexus.job.id': jobId }),
    ...(error && errorAttributes(error, wire !== undefined)),
    ...(withContents && {
      'gen_ai.tool.call.arguments': JSON.stringify(parsed?.arguments),
      'gen_ai.tool.call.result': result && JSON.stringify(result.structuredContent ?? result.content),
    }),
  };
  const link = linkOf(wire?.traceparent);
  // What carried the request, where that is not what the request is part of anyhow.
  const isLinked = link && (link.traceId !== trace.traceId || link.spanId !== parentId);
  return {
    name: wire ? `tools/call ${tool.name}` : `execute_tool ${tool.name}`,
    kind: wire ? 'server' : 'internal',
    traceId: trace.traceId,
    spanId: id,
    parentId,
    family: trace.family,
    startMs,
    endMs,
    attributes,
    ...(isLinked ? { links: [link] } : {}),
    error: error?.message,
  };
}

/** A request that came to no call, since there is no such tool: it has no name of a tool, which could be any text. */
export function spanOfRefusal(
  { wire, params }: Pick<CallRequest, 'wire' | 'params'>,
  sessionId: string,
  error: unknown,
): Span {
  const trace = traceOf(params._meta);
  const now = Date.now();
  const { message, code, category } = failureOfError(error);
  return {
    name: 'tools/call',
    kind: 'server',
    traceId: trace.traceId,
    spanId: newSpanId(),
    parentId: isContinued(trace, params._meta) ? trace.parentId : undefined,
    startMs: now,
    endMs: now,
    attributes: {
      ...(wire && wireAttributes(wire, sessionId)),
      ...errorAttributes({ code, category }, true),
    },
    error: message,
  };
}

/** The MCP server's part of a span. */
function wireAttributes({ protocolVersion, requestId, channel }: Wire, sessionId: string) {
  return {
    'mcp.method.name': 'tools/call',
    'mcp.protocol.version': protocolVersion,
    'mcp.session.id': sessionId,
    'jsonrpc.request.id': String(requestId),
    'network.transport': channel === 'http' ? 'tcp' : 'pipe',
    'network.protocol.name': channel === 'http' ? 'http' : undefined,
  };
}

/** A failed tool answers a result, which MCP calls `tool_error`; what leaves as a JSON-RPC error has its code. */
function errorAttributes({ code, category }: Pick<CallFailure, 'code' | 'category'>, isMcp: boolean) {
  const isRpc = category === 'protocol' || category === 'internal';
  if (!isRpc) return { 'error.type': 'tool_error', 'nexus.error.code': code };
  if (!isMcp) return { 'error.type': code };
  const rpcCode = category === 'internal' ? '-32603' : code;
  return { 'error.type': rpcCode, 'rpc.response.status_code': rpcCode };
}
