import { createInterface } from 'node:readline';

/** The least MCP server there is: one tool. It stays the same whichever version of Nexus starts it. */
const TOOL = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } };
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': ({ arguments: said }) => ({ content: [{ type: 'text', text: JSON.stringify(said) }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = ANSWERS[method]?.(params ?? {}) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
