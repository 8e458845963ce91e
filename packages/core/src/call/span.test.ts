import { expect, it } from 'vitest';
import { ProtocolError } from '../errors/protocol-error.ts';
import type { Call } from './call.ts';
import { spanOf, spanOfRefusal } from './span.ts';

const wire = { requestId: 7, protocolVersion: '2025-11-25', channel: 'stdio' };
const failed = {
  ...{ startedAtMs: 1, endedAtMs: 2, withContents: false, result: undefined },
  error: { code: 'NEXUS_TIMEOUT', category: 'timeout', message: 'late' },
};
const call = {
  tool: { name: 'echo' },
  trace: { traceId: 'a', parentId: 'b' },
  caller: { session: { id: 's' } },
};

it.each([
  ['a client’s call', wire],
  ['a call from inside a run or a tool', undefined],
])('%s whose tool answered an error has tool_error, and its code apart', (_, wire) => {
  const { attributes } = spanOf({ ...call, wire } as never as Call, { id: 'c', parentId: 'b' }, failed);
  expect(attributes).toMatchObject({ 'error.type': 'tool_error', 'nexus.error.code': 'NEXUS_TIMEOUT' });
});

it('a request for a tool that is not there is a span without a tool’s name, part of what its client says', () => {
  const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const params = { name: 'nobody', _meta: { traceparent: `00-${traceId}-${parentId}-01` } };
  const span = spanOfRefusal({ wire, params }, 's', new ProtocolError(-32602, 'Unknown tool: nobody'));
  expect(span).toMatchObject({
    ...{ name: 'tools/call', kind: 'server', traceId, parentId, error: 'Unknown tool: nobody' },
    attributes: {
      ...{ 'mcp.method.name': 'tools/call', 'error.type': '-32602', 'jsonrpc.request.id': '7' },
      'mcp.session.id': 's',
    },
  });
  expect(span.attributes).not.toHaveProperty('gen_ai.tool.name');
});
