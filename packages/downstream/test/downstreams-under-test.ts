import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectServer } from '@nexus/client';
import {
  type ClientRequests,
  createDispatcher,
  createRegistry,
  type Dispatcher,
  type Permissions,
  type ProgressReport,
  type Registry,
  refusal,
} from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { type ToolboxCaller, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { createWatchdog } from '@nexus/processes';
import { createStore } from '@nexus/store';
import { collectLog, type FakeServerSwitches, fakeServer, scopeOf } from '@nexus/testing';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { redactJson } from '@nexus/untrusted/secrets';
import { createDownstreams } from '../src/create-downstreams.ts';
import type { DownstreamsOptions, RunningDownstreams, ToolboxSource } from '../src/downstreams.ts';
import type { ServerSettings, ToolboxSettings } from '../src/settings.ts';

type Pass = (method: string, params: Members) => Promise<Members>;

/** A session's side of a server under test. */
export interface SessionUnderTest {
  readonly id: string;
  readonly caller: ToolboxCaller;
  readonly notifications: { readonly method: string; readonly params: Members }[];
  open(toolbox: string): ReturnType<RunningDownstreams['open']>;
  close(toolbox: string): Promise<number>;
  /** Names of the tools that `tools/list` shows. */
  listed(): string[];
  call(name: string, args?: object, request?: CallOptions): Promise<ToolCallResult>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly meta?: Members;
  readonly progress?: (report: ProgressReport) => void;
}

export interface DownstreamsUnderTest extends AsyncDisposable {
  readonly downstreams: RunningDownstreams;
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  readonly folder: string;
  readonly lines: ReturnType<typeof collectLog>['lines'];
  /** A session whose client answers what it is asked with `answer`. */
  session(
    id: string,
    start?: { isResumed?: boolean; environment?: Members; answer?: Pass },
  ): SessionUnderTest;
  /** As after the end of this process: everything stops, and another begins on the same store. */
  restart(): Promise<void>;
}

/** Toolboxes of the app's config, by their settings. */
export function sourceOf(
  toolboxes: Readonly<Record<string, Partial<ToolboxSettings>>>,
  toolMode: ToolboxSource['toolMode'] = 'dynamic',
): ToolboxSource {
  const settings = (name: string): ToolboxSettings => ({
    description: `the ${name} box`,
    mcpServers: {},
    faults: [],
    autoOpen: false,
    prefix: true,
    ...toolboxes[name],
  });
  return {
    toolMode,
    toolboxes: Object.keys(toolboxes).map((name) => {
      const { description, autoOpen, mcpServers, faults } = settings(name);
      return {
        name,
        description,
        autoOpen,
        servers: [...Object.keys(mcpServers), ...faults.map(({ server }) => server)],
      };
    }),
    settings: (name) => settings(name),
  };
}

export function server(given: Partial<ServerSettings> & { command: string }): ServerSettings {
  return {
    transport: 'stdio',
    args: [],
    env: {},
    headers: {},
    toolFilters: ['*'],
    tools: {},
    isolation: 'shared',
    ...given,
  };
}

export function fake(
  switches: FakeServerSwitches = {},
  given: Omit<Partial<ServerSettings>, 'command'> = {},
): ServerSettings {
  return server({ ...fakeServer(switches), ...given });
}

export function startDownstreams(
  config: ToolboxSource | ((folder: string) => ToolboxSource),
  given: Partial<DownstreamsOptions> = {},
  permissions: Permissions = { allow: ['*'], deny: [] },
): DownstreamsUnderTest {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-toolboxes-')));
  const source = typeof config === 'function' ? config(folder) : config;
  const { log, lines } = collectLog();
  let running = begin();

  function begin() {
    const registry = createRegistry({
      refusal: (tool) => refusal(tool, permissions),
      heldBack: (session) => downstreams.heldBack(session),
    });
    const store = createStore({ projectId: 'test', dataDir: folder });
    const shutdown = new AbortController();
    const downstreams = createDownstreams({
      registry,
      store,
      log,
      info: { name: 'nexus-test', version: '1' },
      build: '1',
      projectRoot: folder,
      dataDir: folder,
      openLines: jsonLinesChannel,
      source,
      shutdown: shutdown.signal,
      ...given,
    });
    const dispatcher = createDispatcher({
      redact: redactJson,
      registry,
      log,
      budgets: { overridesMs: {}, multiplier: 1 },
      limits: { callsPerSecond: 1_000, burst: 1_000, callsInFlight: 1e6, argumentCharsInFlight: 1e9 },
      permissions,
      jobs: undefined as never, // no tool here is long
      shutdown: shutdown.signal,
      record() {},
      recordMismatch() {},
    });
    return { registry, store, shutdown, downstreams, dispatcher };
  }

  async function end() {
    running.shutdown.abort();
    await running.downstreams.stop();
    await running.store.close();
  }

  return {
    get downstreams() {
      return running.downstreams;
    },
    get registry() {
      return running.registry;
    },
    get dispatcher() {
      return running.dispatcher;
    },
    folder,
    lines,
    session(id, { isResumed = false, environment = {}, answer = refuse } = {}) {
      const { downstreams, registry, dispatcher } = running;
      const scope = scopeOf(id);
      const notifications: { method: string; params: Members }[] = [];
      downstreams.startSession(scopeOf(id), {
        environment: environment as Record<string, string>,
        isResumed,
      });
      downstreams.onNotification(
        scopeOf(id),
        (method, params) => void notifications.push({ method, params }),
      );
      const ask: ClientRequests = {
        sampling: 'none',
        sample: never,
        elicit: never,
        answer: never,
        pass: answer,
      };
      const caller: ToolboxCaller = {
        session: scope,
        signal: new AbortController().signal,
        deadline: Date.now() + 60_000,
        progress() {},
        log,
        ask: answer,
      };
      return {
        id,
        caller,
        notifications,
        open: (toolbox) => downstreams.open(toolbox, caller),
        close: (toolbox) => downstreams.close(toolbox, caller),
        listed: () => registry.listed(scopeOf(id)).map(({ name }) => name),
        call: (name, args = {}, { signal = caller.signal, meta = {}, progress } = {}) =>
          dispatcher.call(
            { session: scope, client: { name: 'test', version: '1' }, log, roots: async () => [] },
            { params: { name, arguments: args, _meta: meta }, signal, progress, ask },
          ),
      };
    },
    async restart() {
      await end();
      running = begin();
    },
    async [Symbol.asyncDispose]() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const refuse: Pass = async (method) => {
  throw new ToolError('NEXUS_UNAVAILABLE', `The client does not offer ${method}.`);
};
const never = () => Promise.reject(new Error('servers ask by pass alone'));

export function textOf(result: ToolCallResult): string {
  return result.content.map(({ text = '' }) => text).join('\n');
}

/** The starts of a fake server that was told of this file. */
export async function startsIn(file: string): Promise<number[]> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

/** A call of a fake server's `slow` that is under way, and lasts until it is ended. */
export async function beginSlowCall(session: SessionUnderTest, name: string) {
  const controller = new AbortController();
  let finished: Promise<ToolCallResult> | undefined;
  await new Promise<void>((resolve) => {
    finished = session.call(
      name,
      { steps: 10_000, stepMs: 10 },
      { signal: controller.signal, meta: { progressToken: 1 }, progress: () => resolve() },
    );
  });
  return {
    async end() {
      controller.abort();
      return finished;
    },
  };
}

/** What the process of a fake server got so far, by its tool `received`. */
export async function receivedBy(session: SessionUnderTest, name: string): Promise<Received[]> {
  const { structuredContent = {} } = await session.call(name);
  return structuredContent.messages as Received[];
}

interface Received {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The server itself, with nothing of this package between. */
export async function connectDirectly(settings: ServerSettings) {
  const watchdog = createWatchdog();
  const connection = await connectServer(settings, {
    serverName: 'direct',
    clientInfo: { name: 'nexus-test', version: '1' },
    listener: { notification() {}, request: () => Promise.reject(new Error('nobody asked')) },
    log: collectLog().log,
    projectRoot: tmpdir(),
    openLines: jsonLinesChannel,
    watchdog,
    authFolder: join(tmpdir(), 'nexus-test-no-auth'),
  });
  return {
    list: connection.list,
    async [Symbol.asyncDispose]() {
      await connection.close();
      watchdog.close();
    },
  };
}
