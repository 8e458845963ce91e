import { type CallerContext, newSpanId, ProtocolError, within } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { isToolError, type Spans, type Trace } from '@nexus/plugin-sdk';
import type { Lease } from '../leases/lease.ts';
import type { OfferedServer } from '../server-address.ts';

interface PassedCall {
  readonly from: OfferedServer;
  /** As the server names the tool. */
  readonly name: string;
  readonly spans?: Spans | undefined;
}

/**
 * Passes a call on inside of the client's span of its request (semantic-conventions-genai, MCP), so that what the
 * server tells is part of that; or as it is, where nobody takes spans of its trace.
 */
export function inClientSpan(
  { from, name, spans }: PassedCall,
  { lease, context }: { readonly lease: Lease; readonly context: CallerContext },
  pass: (trace: Trace, onId?: (id: string | number) => void) => Promise<Members>,
): Promise<Members> {
  const { trace } = context;
  if (!spans?.wants(trace)) return pass(trace);
  const spanId = newSpanId();
  const startMs = Date.now();
  /** Of the request; undefined where none left. */
  let requestId: string | undefined;
  const { transport, url } = from.settings;
  const isHttp = transport !== 'stdio';
  const end = (
    failure: { readonly type: string; readonly code?: number; readonly text: string } | undefined,
  ) =>
    spans.end({
      name: `tools/call ${name}`,
      kind: 'client',
      traceId: trace.traceId,
      spanId,
      parentId: trace.parentId,
      family: trace.family,
      startMs,
      endMs: Date.now(),
      attributes: {
        'mcp.method.name': 'tools/call',
        'jsonrpc.request.id': requestId,
        'mcp.protocol.version': lease.server?.protocolVersion,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'network.transport': isHttp ? 'tcp' : 'pipe',
        'network.protocol.name': isHttp ? 'http' : undefined,
        ...(isHttp ? addressOf(url) : {}),
        'nexus.toolbox': from.toolbox,
        'nexus.server': from.server,
        'error.type': failure?.type,
        'rpc.response.status_code': failure?.code === undefined ? undefined : String(failure.code),
      },
      error: failure?.text,
    });
  const sent = (id: string | number) => {
    requestId = String(id);
  };
  return pass(within(trace, spanId), sent).then(
    (result) => {
      end(result.isError === true ? { type: 'tool_error', text: 'The tool answered an error.' } : undefined);
      return result;
    },
    (error: unknown) => {
      end(failureOf(error));
      throw error;
    },
  );
}

function failureOf(error: unknown) {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ProtocolError) return { type: String(error.code), code: error.code, text };
  return { type: isToolError(error) ? error.code : 'NEXUS_UNAVAILABLE', text };
}

/** Without what may be secret: the name of the host and its port. */
function addressOf(url: string | undefined) {
  if (url === undefined || !URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  const known = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? known : Number(port) };
}
