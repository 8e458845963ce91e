/**
 * Serves the remembered catalogue of one server, every key as it was served once; a call answers the tool's
 * name and the arguments that arrived. Started as `node replay.mjs <catalogues file> <server name>`.
 */
import { readFileSync } from 'node:fs';
import { pages } from './pages.mjs';
import { openWire } from './wire.mjs';

const PAGE_SIZE = 50;

const [, , file, name] = process.argv;
const catalogue = JSON.parse(readFileSync(file, 'utf8'))[name];
if (!catalogue) {
  process.stderr.write(`${file} has no server ${name}\n`);
  process.exit(1);
}
const { tools, version } = catalogue;
const pageOf = pages({ pageSize: PAGE_SIZE });

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name, version },
  }),
  ping: () => ({}),
  'tools/list': ({ cursor }) => pageOf('tools', tools, cursor),
  'tools/call'(params) {
    const tool = tools.find((each) => each.name === params.name);
    if (!tool) throw { code: -32602, message: `Unknown tool: ${params.name}` };
    const called = { name: params.name, arguments: params.arguments ?? null };
    return {
      content: [{ type: 'text', text: JSON.stringify(called) }],
      ...(tool.outputSchema ? { structuredContent: called } : {}),
    };
  },
};

openWire({
  onRequest(method, params) {
    if (Object.hasOwn(methods, method)) return methods[method](params);
    throw { code: -32601, message: `Method not found: ${method}` };
  },
  onNotification() {},
  onEnd: () => process.exit(0),
});
