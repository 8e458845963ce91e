import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  type Channel,
  createDispatcher,
  createRegistry,
  type JsonRpcMessage,
  type PluginRuntime,
  pluginTool,
} from '@nexus/core';
import type { AnyTool, Host, Log } from '@nexus/plugin-sdk';
import { memoryChannelPair } from '@nexus/transports/memory';
import { createCatalogue } from '../src/catalogue/catalogue.ts';
import { serveSession } from '../src/session.ts';

const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A host that tests need nothing of. */
const host: Host = {
  projectRoot: '/',
  dataDir: '/',
  store: {
    dialect: 'sqlite',
    open: () => Promise.reject(new Error('these tests have no store')),
  },
  events: { resourceUpdated() {} },
  log: silentLog,
  signal: new AbortController().signal,
};

export const runtime: PluginRuntime = { name: 'fixture', host, state: async () => undefined };

/** One session with these tools, and the raw other end of its channel. */
export function startSession(tools: readonly AnyTool[] = []) {
  const registry = createRegistry();
  for (const tool of tools) registry.register(pluginTool(tool, runtime));
  const catalogue = createCatalogue();
  const updates = new Set<(uri: string) => void>();
  const shutdown = new AbortController();
  const dispatcher = createDispatcher({
    registry,
    budgets: { overridesMs: {}, multiplier: 1 },
    rateLimit: { callsPerSecond: 1000, burst: 1000 },
    permissions: { deny: [] },
    shutdown: shutdown.signal,
    log: silentLog,
    record() {},
    recordMismatch() {},
  });
  const [serverEnd, clientEnd] = memoryChannelPair();
  const session = serveSession(serverEnd, {
    info: { name: 'fixture', version: '1.2.3' },
    instructions: 'read me',
    registry,
    dispatcher,
    catalogue,
    projectRoot: { path: '/project', name: 'project' },
    log: silentLog,
    onResourceUpdated(listener) {
      updates.add(listener);
      return () => updates.delete(listener);
    },
  });
  const resourceUpdated = (uri: string) => {
    for (const listener of updates) listener(uri);
  };
  return { session, registry, catalogue, clientEnd, resourceUpdated, updates };
}

/** The official client over the other end. */
export async function connectClient(channel: Channel, capabilities: ClientCapabilities = {}) {
  const client = new Client({ name: 'tester', version: '9' }, { capabilities });
  const transport: Transport = {
    async start() {
      channel.start({
        message: (message) => transport.onmessage?.(message as JSONRPCMessage),
        closed: () => transport.onclose?.(),
      });
    },
    send: (message) => channel.send(message as JsonRpcMessage),
    close: () => channel.close(),
  };
  await client.connect(transport);
  return client;
}
