import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BroughtInputs,
  type CallRecord,
  type ClientRequests,
  createDispatcher,
  createRegistry,
  createSessionScope,
  KEY_META,
  MULTIPLIER_RANGE,
  type OwnedScope,
  type ProgressReport,
  type Registry,
  toolsInSight,
} from '@nexus/core';
import { pluginTool } from '@nexus/core/definitions';
import { createEngine } from '@nexus/engine';
import {
  type AnyPlugin,
  type Audit,
  type Fetching,
  type Host,
  type Log,
  type Models,
  type ReadableText,
  type Resumption,
  type Root,
  type Store,
  type Toolboxes,
  type ToolCallResult,
  ToolError,
  type Traces,
  type WorkerPool,
  type WorkerPoolOptions,
  type Workers,
} from '@nexus/plugin-sdk';
import { readTextInside } from '@nexus/primitives';
import { createPrograms } from '@nexus/processes';
import { createSessions, createStore } from '@nexus/store';
import { findSecret, redactJson, redactText } from '@nexus/untrusted/secrets';
import { createWorkers } from '@nexus/untrusted/workers';
import { cutOff } from './cut-off.ts';
import { noAudit } from './no-audit.ts';
import { scriptedModels } from './scripted-models.ts';

/** What runs in flight get to end at stop. */
const STOP_MS = 2_000;

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly sessionId?: string;
  /** Who calls, as by HTTP; by default the server's own user. */
  readonly user?: string;
  readonly progress?: (report: ProgressReport) => void;
  /** What answers a call that was suspended on questions: see `inputRequiredOf`. */
  readonly inputs?: BroughtInputs;
  /** False for a client that can't be asked; by default it shows what a run asks until that is answered elsewhere. */
  readonly isAskable?: boolean;
}

export interface PluginUnderTest {
  /** Calls a tool the whole way: normalised, validated, under a deadline, output checked. */
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<ToolCallResult>;
  /** As `call`, and gives `structuredContent`; throws the tool's error text when it failed. */
  answer<Answer = Record<string, unknown>>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Answer>;
  /** Goes on with a run as `resume_run` does, and answers as `answer` does. */
  resume<Answer = Record<string, unknown>>(
    runId: string,
    how?: Omit<Resumption, 'runId'> & Pick<CallOptions, 'user'>,
  ): Promise<Answer>;
  readonly host: Host;
  readonly records: readonly CallRecord[];
  readonly log: readonly LogLine[];
  stop(): Promise<void>;
}

export interface LogLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

export interface PluginTestOptions {
  /** The plugin's section of the config; parsed by its own schema. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Default: an empty temporary folder, removed at stop. */
  readonly projectRoot?: string;
  /** Default: a temporary folder, removed at stop. Give one to test what survives a restart. */
  readonly dataDir?: string;
  /** Puts the state on this Postgres instead of the embedded database; see `startPostgres`. */
  readonly databaseUrl?: string;
  /** The way out of the machine; by default there is none. */
  readonly fetching?: (store: Store, dataDir: string) => Fetching;
  /** By default nothing is put on record, and there is nothing to verify. */
  readonly audit?: Audit;
  /** By default none is kept. */
  readonly traces?: Traces;
  /** What models are told of the project first; nothing by default. */
  readonly projectBrief?: string;
  /** Whose tables they are there; by default every test's plugin works on one project. */
  readonly projectId?: string;
  /** Epoch milliseconds in the place of the database's clock: what takes long then takes no time. */
  readonly testClock?: () => number;
  /** The client's roots beside the project root. */
  readonly roots?: readonly Root[];
  /** Language models, such as `scriptedModels()` makes; by default there is none. */
  readonly models?: Models;
  /** Results that are kept, by URI; by default an example. */
  readonly kept?: Readonly<Record<string, string>>;
  /** What the host's model gets of one result; 50 000 characters by default. */
  readonly maxResultChars?: number;
  /** Other servers, such as `fakeToolboxes()` makes; by default none is configured. */
  readonly toolboxes?: (registry: Registry, host: Host) => Toolboxes;
}

/**
 * Threads for all plugins of a test file, since loading a module from source takes them half a second. What
 * one test did to a thread the next can't tell: it is replaced.
 */
const threads = createWorkers();
const pools = new Map<string, ReturnType<typeof threads.pool>>();
const workers: Workers = {
  pool<Task, Answer>(options: WorkerPoolOptions) {
    const key = JSON.stringify(options);
    const pool = pools.get(key) ?? threads.pool(options);
    pools.set(key, pool);
    // Of one module, hence of these types.
    return pool as WorkerPool<Task, Answer>;
  },
};

/** Programs of the machine, as the app runs them. */
export const programs = createPrograms();

/** Starts a plugin as the app would, on a real store in a temporary folder and the real dispatcher. */
export async function startPlugin(plugin: AnyPlugin, test: PluginTestOptions = {}): Promise<PluginUnderTest> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-test-')));
  const projectRoot = realpathSync(test.projectRoot ?? mkdtempSync(join(scratch, 'project-')));
  const dataDir = test.dataDir ?? mkdtempSync(join(scratch, 'data-'));
  const lines: LogLine[] = [];
  const records: CallRecord[] = [];
  const log = collectingLog(lines);
  const shutdown = new AbortController();
  const store = createStore({
    projectId: test.projectId ?? 'test',
    dataDir,
    databaseUrl: test.databaseUrl,
    testClock: test.testClock,
  });
  const scopes = new Map<string, OwnedScope>();
  const sessions = createSessions({
    store,
    log,
    find: (id) => scopes.get(id),
    shutdown: shutdown.signal,
  });
  const engine = createEngine({
    store,
    log,
    shutdown: shutdown.signal,
    rerun: (
      { tool, arguments: args, sessionId, user, parent },
      { signal, progress, known, idempotencyKey },
    ) => {
      const params = { name: tool, arguments: args, _meta: { [KEY_META]: idempotencyKey } };
      return dispatcher.callAgain(caller(sessionId, user), {
        ...{ params, signal, progress, run: parent },
        known: parent && known,
      });
    },
    tools: ({ id, session_id, user_id }, { step, signal, known, sayYes }) => ({
      ...toolsInSight(registry, undefined),
      call: (name, params) =>
        dispatcher.call(caller(session_id ?? 'test', user_id ?? undefined), {
          params: { ...params, name },
          signal,
          run: { id, step },
          known,
          sayYes,
        }),
    }),
    onUpdated() {},
  });
  const host: Host = {
    projectRoot,
    project: {
      brief: async () => test.projectBrief ?? '',
      read: (path) =>
        readTextInside(path, { folder: projectRoot, except: [realpathSync(dataDir)] }, 4 * 1024 * 1024),
    },
    dataDir,
    privatePaths: [realpathSync(dataDir)],
    store,
    sessions,
    jobs: engine.jobs,
    runs: engine.runs,
    results: keptResults(test),
    log,
    get toolboxes() {
      return toolboxes;
    },
    workers,
    programs,
    secrets: { find: findSecret, redact: redactText },
    fetching: test.fetching?.(store, dataDir) ?? cutOff,
    audit: test.audit ?? noAudit,
    traces: test.traces ?? noTraces,
    models: test.models ?? scriptedModels([]),
    events: { resourceUpdated() {} },
    signal: shutdown.signal,
  };
  const registry = createRegistry();
  const toolboxes = test.toolboxes?.(registry, host) ?? noToolboxes;
  const state = await plugin.start(plugin.options.parse(test.options ?? {}), host);
  for (const kind of plugin.runs ?? []) {
    const { name, version, choices } = kind;
    engine.define({ name, version, choices, load: async () => ({ kind, host, state }) });
  }
  if (plugin.runs) engine.adopt();
  for (const tool of plugin.tools) {
    registry.register(pluginTool(tool, { name: plugin.name, host, state: async () => state }));
  }
  const dispatcher = createDispatcher({
    redact: redactJson,
    registry,
    jobs: engine.jobs,
    log,
    // What a plugin does is tried here, and not how soon: on a busy machine it takes longer.
    budgets: { overridesMs: {}, multiplier: MULTIPLIER_RANGE.max },
    limits: { callsPerSecond: 1e6, burst: 1e6, callsInFlight: 1e6, argumentCharsInFlight: 1e9 },
    permissions: { deny: [] },
    shutdown: shutdown.signal,
    waitForStore: store.within,
    record: (record) => records.push(record),
    recordMismatch() {},
  });
  const scopeOf = (id: string) => {
    const scope = scopes.get(id) ?? createSessionScope({ id });
    scopes.set(id, scope);
    return scope;
  };
  const caller = (sessionId: string, user?: string) => ({
    session: scopeOf(sessionId),
    user,
    client: { name: 'test', version: '0' },
    log,
    roots: async () => [{ path: projectRoot, name: 'project' }, ...(test.roots ?? [])],
  });
  const call: PluginUnderTest['call'] = (
    name,
    args = {},
    { signal, sessionId = 'test', user, progress, inputs, isAskable = true } = {},
  ) =>
    dispatcher.call(caller(sessionId, user), {
      params: { name, arguments: args },
      signal: signal ?? new AbortController().signal,
      progress,
      inputs,
      ask: isAskable ? patientClient : undefined,
    });
  const resume = async (runId: string, { user, ...how }: Parameters<PluginUnderTest['resume']>[1] = {}) => {
    const { kind } = await engine.runs.get(runId, { user });
    const tool = plugin.tools.find(({ run }) => run?.name === kind);
    if (!tool) throw new Error(`no tool of ${plugin.name} is a ${kind}`);
    return dispatcher.call(caller('test', user), {
      params: { name: tool.name },
      signal: new AbortController().signal,
      ask: patientClient,
      resumes: { runId, ...how },
    });
  };
  return {
    call,
    answer: async <Answer>(...made: Parameters<PluginUnderTest['answer']>) =>
      structureOf<Answer>(await call(...made)),
    resume: async <Answer>(...resumed: Parameters<PluginUnderTest['resume']>) =>
      structureOf<Answer>(await resume(...resumed)),
    host,
    records,
    log: lines,
    async stop() {
      shutdown.abort();
      await Promise.all([...scopes.values()].map((scope) => scope.end()));
      await plugin.stop(state);
      await engine.stop(STOP_MS);
      await sessions.close();
      await store.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

function structureOf<Answer>({ isError, content, structuredContent }: ToolCallResult): Answer {
  if (isError) throw new Error(content.map((block) => block.text ?? '').join('\n'));
  return structuredContent as Answer;
}

const offersNothing = async (): Promise<never> => {
  throw new ToolError('NEXUS_UNAVAILABLE', 'The client of this test offers nothing.');
};

/** Its person looks at what is asked, and says nothing. */
const patientClient: ClientRequests = {
  sampling: 'none',
  sample: offersNothing,
  elicit: offersNothing,
  pass: offersNothing,
  answer: (_, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true })),
};

const notThere = async (): Promise<never> => {
  throw new ToolError('NEXUS_NOT_FOUND', 'No toolbox is configured.');
};

const noToolboxes: Toolboxes = {
  names: async () => [],
  list: async () => [],
  open: notThere,
  close: notThere,
  reach: notThere,
  shapes: async (tools) => tools.map(() => undefined),
  catalogue: async () => ({ tools: [], unreachable: [], version: 'none' }),
  whyNot: async () => undefined,
  check: async () => [],
};

function collectingLog(lines: LogLine[]): Log {
  const at = (level: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    lines.push({ level, message, fields });
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function keptResults({
  kept: before = { 'nexus://results/example': 'an example' },
  maxResultChars = 50_000,
}: PluginTestOptions): Host['results'] {
  const kept = new Map<string, ReadableText>(
    Object.entries(before).map(([uri, text]) => [uri, { mimeType: 'text/plain', text }]),
  );
  return {
    maxChars: maxResultChars,
    async keep(whole) {
      const uri = `nexus://results/${crypto.randomUUID()}`;
      kept.set(uri, whole);
      return { uri };
    },
    read: async (uri) => kept.get(uri),
  };
}

/** None is kept. */
const noTraces: Traces = {
  read: async () => undefined,
  async *since() {},
};
