/**
 * A stdio MCP server that behaves as badly as it is told to. Started as `node main.mjs '<switches as JSON>'`;
 * the switches are `FakeServerSwitches` in ../../src/fake-server.ts.
 */
import { appendFileSync, existsSync } from 'node:fs';
import { pages } from '../pages.mjs';
import { openWire } from '../wire.mjs';
import { askingTools } from './asking-tools.mjs';
import { changingTools } from './changing-tools.mjs';
import { dyingTools } from './dying-tools.mjs';
import { floodingTools } from './flooding-tools.mjs';
import { oddTools } from './odd-tools.mjs';
import { plainTools } from './plain-tools.mjs';
import { resourcesAndPrompts } from './resources-and-prompts.mjs';
import { schemaTools } from './schema-tools.mjs';
import { slowTools } from './slow-tools.mjs';
import { startUp, untilThere } from './start-up.mjs';

const RUBBISH = 'Starting up...\n{"half": \n\u001b[32mready\u001b[0m\n[1,2]\n\n';

const switches = JSON.parse(process.argv[2] ?? '{}');
startUp(switches);
const pageOf = pages(switches);

const received = [];
const tools = [];
const wire = openWire({
  async onRequest(method, params, request) {
    received.push({ method, params });
    if (switches.rubbish) wire.sendRaw(`about to answer ${method}\n`);
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!handler) throw { code: -32601, message: `Method not found: ${method}` };
    return handler(params, request);
  },
  async onNotification(method, params) {
    received.push({ method, params });
    if (!switches.asksForRoots || method !== 'notifications/roots/list_changed') return;
    received.push({ method: 'roots', params: await wire.ask('roots/list', {}) });
  },
  onEnd: () => switches.ignoreEnd || process.exit(0),
});
const shared = { wire, tools, received, pageOf };
const rest = resourcesAndPrompts(switches, shared);
const parts = [
  plainTools,
  slowTools,
  dyingTools,
  askingTools,
  changingTools,
  oddTools,
  schemaTools,
  floodingTools,
];
tools.push(...parts.flatMap((part) => part(switches, shared)), ...rest.tools);

const methods = {
  async initialize({ protocolVersion }) {
    await untilThere(switches.waitForFile);
    return {
      protocolVersion: switches.protocolVersion ?? protocolVersion,
      capabilities: { tools: { listChanged: true }, logging: {}, ...rest.capabilities },
      serverInfo: { name: switches.name ?? 'fake', version: '1.0.0' },
      ...(switches.instructions ? { instructions: switches.instructions } : {}),
    };
  },
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'tools/list'({ cursor }) {
    return pageOf(
      'tools',
      tools.map((each) => each.listing()),
      cursor,
    );
  },
  'tools/call'({ name, arguments: args = {}, _meta: meta = {} }, { signal }) {
    const found = tools.find((each) => each.name === name);
    if (!found) throw { code: -32602, message: `Unknown tool: ${name}` };
    return found.call(args, { meta, signal });
  },
  ...rest.methods,
};

const answers = methods[switches.hang];
if (answers) {
  methods[switches.hang] = (...asked) => {
    if (switches.hangFile && !existsSync(switches.hangFile)) return answers(...asked);
    if (switches.hangFile) appendFileSync(switches.hangFile, `${JSON.stringify(asked[0])}\n`);
    return new Promise(() => {});
  };
}

if (switches.rubbish) wire.sendRaw(RUBBISH);
// Without a reader on it the process would end by itself, whatever it is told.
if (switches.ignoreEnd) setInterval(() => {}, 60_000);
