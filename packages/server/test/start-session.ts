import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  type Channel,
  createDispatcher,
  createRegistry,
  type JsonRpcMessage,
  type PluginRuntime,
  type Trust,
} from '@nexus/core';
import { pluginTool } from '@nexus/core/definitions';
import { createEngine, type Engine } from '@nexus/engine';
import type { AnyTool, Host, Log, Store } from '@nexus/plugin-sdk';
import { scopeOf } from '@nexus/testing';
import { type ProtocolCheck, protocolCheck } from '@nexus/testing/protocol-check';
import { memoryChannelPair } from '@nexus/transports/memory';
import { redactJson } from '@nexus/untrusted/secrets';
import { afterEach, expect } from 'vitest';
import { createCatalogue } from '../src/catalogue/catalogue.ts';
import { type SessionServices, serveSession } from '../src/session.ts';

const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

const storeless = () => Promise.reject(new Error('this test has no store'));

const noStore: Store = {
  dialect: 'sqlite',
  projectId: 'test',
  now: undefined as never,
  readNow: storeless,
  open: storeless,
  openToRead: storeless,
  blank: storeless,
  ahead: storeless,
  withoutDisk: storeless,
  notify: storeless,
  listen: storeless,
  hold: storeless,
  isHeld: storeless,
};

const engines = new Set<Engine>();

/** Ends the jobs of every session so far: before the store that they are in is closed. */
export async function stopJobs(): Promise<void> {
  for (const engine of engines) await engine.stop(1_000);
  engines.clear();
}

function engineOf(store: Store, shutdown: AbortSignal): Engine {
  const engine = createEngine({
    store,
    log: silentLog,
    shutdown,
    tools: () => never('a tool of a run'),
    rerun: () => never('a job of another server'),
    onUpdated() {},
  });
  engines.add(engine);
  return engine;
}

function never(what: string): never {
  throw new Error(`no test has ${what}`);
}

/** A host that tests need nothing of. */
const host: Host = {
  projectRoot: '/',
  project: { brief: async () => '', read: async () => undefined },
  dataDir: '/',
  privatePaths: [],
  results: {
    maxChars: 50_000,
    keep: async () => ({ uri: 'nexus://results/x' }),
    read: async () => undefined,
  },
  store: noStore,
  jobs: engineOf(noStore, new AbortController().signal).jobs,
  // No test uses them.
  sessions: undefined as never,
  runs: undefined as never,
  toolboxes: undefined as never,
  workers: undefined as never,
  programs: undefined as never,
  secrets: undefined as never,
  audit: undefined as never,
  traces: undefined as never,
  models: undefined as never,
  fetching: undefined as never,
  events: { resourceUpdated() {} },
  log: silentLog,
  signal: new AbortController().signal,
};

export const runtime: PluginRuntime = { name: 'fixture', host, state: async () => undefined };

const checks = new Set<ProtocolCheck>();

/** Every message of every session here is held to the SDK's schemas. */
afterEach(() => {
  const faults = [...checks].flatMap((check) => check.faults);
  checks.clear();
  expect(faults).toEqual([]);
});

/** For a test whose other servers say what no schema has: that is passed on as it came. */
export function passesOddities(): void {
  checks.clear();
}

function checked(channel: Channel): Channel {
  const check = protocolCheck();
  checks.add(check);
  return {
    ...channel,
    start({ message, closed }) {
      channel.start({
        message(received) {
          check.fromClient(received);
          message(received);
        },
        closed,
      });
    },
    send(message, options) {
      check.fromServer(message);
      return channel.send(message, options);
    },
  };
}

/** One session with these tools, and the raw other end of its channel; jobs need a store. */
export function startSession(
  tools: readonly AnyTool[] = [],
  store = noStore,
  {
    trust,
    kind,
    ...behind
  }: Partial<Pick<SessionServices, 'downstreams' | 'results' | 'projectRoot' | 'hasModel' | 'relisting'>> & {
    trust?: Trust;
    kind?: Channel['kind'];
  } = {},
) {
  const registry = createRegistry();
  for (const tool of tools) registry.register(pluginTool(tool, runtime));
  const catalogue = createCatalogue();
  const updates = new Set<(uri: string) => void>();
  const shutdown = new AbortController();
  const { jobs } = engineOf(store, shutdown.signal);
  const dispatcher = createDispatcher({
    redact: redactJson,
    registry,
    jobs,
    budgets: { overridesMs: {}, multiplier: 1 },
    limits: { callsPerSecond: 1000, burst: 1000, callsInFlight: 1e6, argumentCharsInFlight: 1e9 },
    permissions: { deny: [] },
    shutdown: shutdown.signal,
    log: silentLog,
    record() {},
    recordMismatch() {},
  });
  const services = {
    info: { name: 'fixture', version: '1.2.3' },
    instructions: () => 'read me',
    registry,
    dispatcher,
    jobs,
    catalogue,
    projectRoot: { path: '/project', name: 'project' },
    ...behind,
    log: silentLog,
    onResourceUpdated(listener: (uri: string) => void) {
      updates.add(listener);
      return () => updates.delete(listener);
    },
  };
  /** Another client of the same server. */
  let watch: ((...sent: Parameters<Channel['send']>) => void) | undefined;
  const open = () => {
    const [serverEnd, clientEnd] = memoryChannelPair(trust);
    const watched: Channel = {
      ...serverEnd,
      kind: kind ?? serverEnd.kind,
      send(message, options) {
        watch?.(message, options);
        return serverEnd.send(message, options);
      },
    };
    return { session: serveSession(checked(watched), services, scopeOf(randomUUID())), clientEnd };
  };
  /** Sees what the server sends, and to what it belongs. */
  const watchSends = (seen: NonNullable<typeof watch>) => {
    watch = seen;
  };
  const { session, clientEnd } = open();
  const resourceUpdated = (uri: string) => {
    for (const listener of updates) listener(uri);
  };
  return { session, registry, catalogue, clientEnd, resourceUpdated, updates, open, watchSends };
}

/** The official client over the other end. */
export async function connectClient(
  channel: Channel,
  capabilities: ClientCapabilities = {},
  name = 'tester',
) {
  const client = new Client({ name, version: '9' }, { capabilities });
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
