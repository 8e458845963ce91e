import { basename, join } from 'node:path';
import {
  type CallRecord,
  type Channel,
  type ClientOfUser,
  createPatience,
  createRegistry,
  createRelisting,
  createSessionScope,
  isPermitted,
  type PluginRuntime,
  type RegisteredTool,
  type Registry,
  refusal,
} from '@nexus/core';
import type { RunningDownstreams } from '@nexus/downstream';
import { createEngine, type Engine } from '@nexus/engine';
import type { Audit, Host, Log, RunKindName, SessionScope } from '@nexus/plugin-sdk';
import {
  type Catalogue,
  createCatalogue,
  createKeptResults,
  resultsOnDisk,
  type ServedSession,
  serveSession,
} from '@nexus/server';
import { createSessions, type OpenStore } from '@nexus/store';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import {
  findSecret,
  holdSecrets,
  redactApart,
  redactJson,
  redactText,
  urlSecrets,
} from '@nexus/untrusted/secrets';
import { answersOnRecord } from '../audit/answers-on-record.ts';
import { lazyAudit } from '../audit/lazy-audit.ts';
import { secretUses } from '../audit/secret-uses.ts';
import { trustInForce } from '../audit/trust-event.ts';
import { lazyFetching } from '../fetching/lazy-fetching.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { lazyModels } from '../models/lazy-models.ts';
import { modelThere } from '../models/model-there.ts';
import type { ListedPlugin } from '../plugins/plugin-listing.ts';
import { createProjectBrief } from '../project/brief/project-brief.ts';
import { machineName } from '../project/machine-name.ts';
import { noProjectFault, withoutProject, withoutRoot } from '../project/no-project.ts';
import type { Project } from '../project/project-id.ts';
import { projectStore } from '../project/project-store.ts';
import { useState } from '../state/state-users.ts';
import { createTracing, type Tracing } from '../tracing/create-tracing.ts';
import { instructionTrust } from '../trust/instructions-part.ts';
import { buildId, version } from '../version.ts';
import { addPlugin } from './add-plugin.ts';
import { askingFirst, type BeforeCall } from './asking-first.ts';
import { clientHabits } from './client-habits.ts';
import { createClientScopes } from './client-scopes.ts';
import { clientTimeoutMs } from './client-timeout.ts';
import { createEndings, type Endings } from './endings.ts';
import { describeServer, whereToolsAre } from './instructions.ts';
import { jsonLinesFile } from './json-lines-file.ts';
import { lazyDispatcher } from './lazy-dispatcher.ts';
import { lazyDownstreams } from './lazy-downstreams.ts';
import { lazyPrograms } from './lazy-programs.ts';
import { lazyWorkers } from './lazy-workers.ts';
import { type OwnCalls, ownCalls } from './own-calls.ts';
import { privatePaths } from './private-paths.ts';
import { createProfiles } from './profiles.ts';
import { runCalls } from './run-calls.ts';
import { pluginStarts } from './start-plugins.ts';
import { tidyUp, tidyUpSoon } from './tidy-up.ts';

/** What steps in flight get to end at shutdown; those that don't are begun again by the next server. */
const RUNS_STOP_MS = 1_500;

/** Whose session a channel brings; by default a new one of this process's own environment. */
export interface Visit {
  readonly sessionId: string;
  /** Whether another server served it before. */
  readonly isResumed: boolean;
  /** The host's variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A running Nexus: everything behind the transports. */
export interface Nexus {
  readonly project: Project;
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly engine: Engine;
  readonly downstreams: RunningDownstreams;
  readonly store: OpenStore;
  readonly audit: Audit;
  readonly tracing: Tracing;
  /** Whether there is a model, or the client's own would do; without one, tools that need it are not listed. */
  hasModel(offersSampling: boolean): Promise<boolean>;
  /** Calls of the server's own, as its own user. */
  readonly own: OwnCalls;
  serve(channel: Channel, visit?: Visit): ServedSession;
  /** Sessions that are open now. */
  readonly sessions: ReadonlySet<ServedSession>;
  /** Tells of each call that is over; the listener does not throw. */
  onCall(listener: (record: CallRecord) => void): void;
  /** Lets clients' calls wait for something first; the listener does not throw. */
  beforeCall(listener: BeforeCall): void;
  /** Takes over the toolboxes of a changed config; what did not change stays open. */
  reconfigure(loaded: LoadedConfig): Promise<void>;
  /** Resolves where the project's state is taken away under this process, or will be. */
  readonly stateTaken: Promise<void>;
  /** Ends calls in flight, sessions, jobs, plugins and the store, in this order. */
  stop(): Promise<void>;
}

/**
 * Puts Nexus together: config -> plugins -> registry -> dispatcher -> sessions. What a boot that fails has
 * begun is ended again.
 * @throws {RegistrationError} when a plugin's tool breaks the contract
 */
export async function boot(loaded: LoadedConfig, log: Log): Promise<Nexus> {
  const shutdown = new AbortController();
  holdSecrets(urlSecrets(loaded.databaseUrl ?? ''));
  const endings = createEndings(log);
  try {
    return await assemble(loaded, { log, shutdown, endings });
  } catch (error) {
    shutdown.abort();
    await endings.run();
    throw error;
  }
}

async function assemble(
  loaded: LoadedConfig,
  { log, shutdown, endings }: { log: Log; shutdown: AbortController; endings: Endings },
): Promise<Nexus> {
  const { config, plugins, dataDir, projectRoot } = loaded;
  const permissions = { ...config.permissions, own: loaded.ownPermissions };
  const project = loaded.identify();
  const use = await useState(dataDir, projectRoot);
  endings.add('the use of the state', use.leave);
  const sessions = new Set<ServedSession>();
  const store = projectStore(loaded, {
    log,
    onLost(reason) {
      log.error(reason);
      for (const session of sessions) session.announce(reason);
    },
  });
  endings.add('the store', store.close);
  const mismatches = jsonLinesFile(join(dataDir, 'mcp-telemetry', 'timeout-mismatch-events.jsonl'), log);
  endings.add('the record of timeouts', mismatches.flush);
  const tracing = createTracing(loaded, log);
  endings.add('the traces', tracing.close);
  const { spans } = tracing;
  const audit = lazyAudit(loaded, log, store);
  endings.add('the audit trail', audit.close);
  const secretUsed = secretUses(audit, log);
  const programs = lazyPrograms();
  endings.add('the programs', programs.close);
  const workers = lazyWorkers();
  endings.add('the workers', workers.close);
  const updates = new Set<(uri: string) => void>();
  const root = { path: projectRoot, name: basename(projectRoot) || projectRoot };
  const isListedWhenLean = leanList(config.tools);
  const registry = createRegistry({
    refusal: (tool) => refusal(tool, permissions),
    listsShared: (tool, session) => profiles.of(session) === 'full' || isListedWhenLean(tool),
    heldBack: (session) => downstreams.heldBack(session),
    whereOthersAre: () =>
      whereToolsAre((name) => registry.get(name) !== undefined && isPermitted({ name }, permissions)),
  });
  const habits = clientHabits(dataDir, log);
  const relisting = createRelisting(registry, habits);
  const profiles = createProfiles(config.profile, relisting);
  const patience = createPatience(habits);
  const downstreams = lazyDownstreams(loaded.toolboxSource, async () =>
    (await import('@nexus/downstream')).createDownstreams({
      registry,
      store,
      log,
      spans,
      secretUsed,
      info: { name: 'nexus', version },
      build: buildId(),
      projectRoot,
      dataDir,
      openLines: jsonLinesChannel,
      source: loaded.toolboxSource,
      shutdown: shutdown.signal,
      includesOwnTools: (session) => profiles.of(session) === 'lean',
      relisting,
    }),
  );
  const events: Host['events'] = {
    resourceUpdated: (uri) => updates.forEach((listener) => void listener(uri)),
  };
  let { toolboxSource } = loaded;
  const scopes = createClientScopes();
  const present = createSessions({ store, log, find: scopes.find, shutdown: shutdown.signal });
  endings.add('the record of sessions', present.close);
  const models = lazyModels({
    config: config.models,
    store,
    log,
    projectRoot,
    spans,
    secretUsed,
    recorded: () => events.resourceUpdated('nexus://routing_stats'),
  });
  endings.add('the models', models.close);
  const modelsThere = modelThere(config.models.providers, projectRoot, registry.relist);
  endings.add('the look for models', async () => modelsThere.close());
  const fetching = lazyFetching({ config: config.sources, store, dataDir, secretUsed });
  endings.add('what is fetched', fetching.close);
  const ofRuns = config.retention.runs_runs;
  const engine = createEngine({
    store,
    log,
    shutdown: shutdown.signal,
    retention: { days: ofRuns?.days, families: ofRuns?.rows },
    machine: () => machineName(dataDir),
    limits: config.limits,
    hasTool: (name, origin = name) =>
      registry.get(name) !== undefined ||
      toolboxSource.toolboxes.some((toolbox) => origin.startsWith(`${toolbox.name}__`)),
    spans: { spans, now: Date.now },
    onAnswered: answersOnRecord(audit, log),
    onUpdated: (runId) => events.resourceUpdated(`nexus://runs/${runId}`),
    ...runCalls({
      scopes,
      registry,
      log,
      root,
      toolboxes: downstreams,
      calls: {
        call: (...call) => dispatcher.call(...call),
        callAgain: (...call) => dispatcher.callAgain(...call),
      },
    }),
  });
  const { jobs } = engine;
  const ownPaths = await privatePaths(loaded);
  const results = createKeptResults({
    maxResultChars: config.limits.maxResultChars,
    disk: resultsOnDisk(join(dataDir, 'results')),
    redact: redactApart(workers),
    onFault: (error) => log.warn('a long result could not be kept on disk', { err: error }),
  });
  endings.add('kept results', () => results.written());
  const host: Host = {
    projectRoot,
    project: createProjectBrief(
      { projectRoot, privatePaths: ownPaths },
      instructionTrust(projectRoot, process.env),
    ),
    dataDir,
    privatePaths: ownPaths,
    store,
    sessions: present,
    jobs,
    runs: engine.runs,
    results: {
      maxChars: results.maxResultChars,
      async keep(kept, { session, user }) {
        const { uri } = results.keep(session, kept, user);
        await results.written([uri]);
        return { uri };
      },
      read: async (uri, caller) =>
        (await results.find({ session: caller.session, user: caller.user }, uri)) ??
        (await ownText(catalogue, uri, { user: caller.user, roots: () => caller.roots() })),
    },
    log,
    toolboxes: downstreams,
    workers,
    programs: programs.programs,
    secrets: { find: findSecret, redact: redactText },
    fetching,
    audit,
    traces: tracing,
    models,
    events,
    signal: shutdown.signal,
  };
  const noProject = noProjectFault(projectRoot);
  const hostOfRuns = noProject ? withoutProject(host, noProject) : host;
  const starts = pluginStarts(loaded.pluginOptions, { host: () => host, log });
  endings.add('the plugins', starts.stop);
  endings.add('the runs', () => engine.stop(RUNS_STOP_MS));
  endings.add('the other servers', downstreams.stop);
  const catalogue = createCatalogue();
  const leaving: Parameters<typeof tidyUp>[0][number][] = [];
  for (const plugin of plugins) {
    const { name, leaves } = plugin;
    const runtime: PluginRuntime = { name, host, state: starts.stateOf(plugin) };
    leaving.push({ name, leaves, start: runtime.state });
    for (const each of plugin.runs) {
      engine.define({ ...each, load: () => loadKind(plugin, each, { ...runtime, host: hostOfRuns }) });
    }
    await addPlugin(plugin, runtime, { registry, catalogue, config });
  }
  tidyUpSoon(shutdown.signal, () => tidyUp(leaving, dataDir, log));
  const callListeners: ((record: CallRecord) => void)[] = [];
  const everywhere = lazyDispatcher(async () =>
    (await import('@nexus/core/dispatcher')).createDispatcher({
      redact: redactJson,
      registry,
      jobs,
      log,
      budgets: { overridesMs: budgetOverrides(config.tools), multiplier: loaded.timeoutMultiplier },
      limits: config.limits,
      permissions,
      shutdown: shutdown.signal,
      waitForStore: store.within,
      audit,
      spans,
      patience,
      record(record) {
        const { toolName, startedAtMs, endedAtMs, recovery, error } = record;
        log.debug('call', { tool: toolName, durationMs: endedAtMs - startedAtMs, recovery, error });
        for (const listener of callListeners) listener(record);
      },
      recordMismatch: mismatches.add,
    }),
  );
  // Whoever calls: a client, a run, or the server itself.
  const dispatcher = noProject ? withoutRoot(everywhere, projectRoot, noProject) : everywhere;
  let beforeCall: BeforeCall = () => undefined;
  const asking = askingFirst(dispatcher, registry, (call) => beforeCall(call));
  const definitions = plugins.map((plugin) => plugin.definition ?? plugin);
  let described = loaded;
  const services = {
    info: { name: config.server.name, title: 'Nexus', version },
    /** As the config stands when the session begins, and the store. */
    instructions(session: SessionScope, client: ClientOfUser) {
      const description = describeServer(described, definitions, profiles.begin(session, client));
      const lost = store.lost();
      return lost === undefined ? description : `${lost}\n\n${description}`;
    },
    registry,
    dispatcher: asking,
    jobs,
    catalogue,
    downstreams,
    results,
    relisting,
    hasModel: modelsThere.isThere,
    projectRoot: root,
    log,
    onResourceUpdated(listener: (uri: string) => void) {
      updates.add(listener);
      return () => updates.delete(listener);
    },
  };
  return {
    project,
    registry,
    catalogue,
    engine,
    downstreams,
    store,
    audit,
    tracing,
    own: ownCalls({ dispatcher, log, root }),
    hasModel: modelsThere.isThere,
    stateTaken: use.taken,
    sessions,
    serve(channel, { sessionId, ...visit } = ownVisit()) {
      const scope = createSessionScope({ id: sessionId });
      const waitsMs = clientTimeoutMs(visit.environment);
      // What came by HTTP was not started by the host whose environment this is.
      if (waitsMs !== undefined && channel.kind !== 'http') patience.said(scope, waitsMs);
      scopes.add(scope);
      if (visit.isResumed) present.resumed(scope);
      downstreams.startSession(scope, visit);
      const session = serveSession(channel, services, scope);
      sessions.add(session);
      scope.onEnd(() => void sessions.delete(session));
      return session;
    },
    async reconfigure(next) {
      await audit.record({
        kind: 'config.changed',
        data: { trusted: trustInForce(next.trust) },
        texts: { config: next.written },
      });
      // All else is as it was at the start, whatever the file says by now, and told of so.
      const { toolboxes, toolMode } = next.config;
      described = { ...next, config: { ...config, toolboxes, toolMode } };
      toolboxSource = next.toolboxSource;
      await downstreams.reconfigure(toolboxSource);
    },
    onCall: (listener) => void callListeners.push(listener),
    beforeCall(listener) {
      beforeCall = listener;
    },
    async stop() {
      shutdown.abort();
      await everywhere.begun();
      // The answers that the abort caused leave before the channels close.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.allSettled([...sessions].map((session) => session.close()));
      await endings.run();
    },
  };
}

/** A resource of Nexus itself, such as the answer of a run's step. */
async function ownText(
  { resources }: Catalogue,
  uri: string,
  reader: Parameters<Catalogue['resources']['read']>[1],
) {
  if (!resources.has(uri)) return undefined;
  const { mimeType, text } = await resources.read(uri, reader);
  return typeof text === 'string' ? { mimeType: String(mimeType ?? 'text/plain'), text } : undefined;
}

async function loadKind(
  plugin: ListedPlugin,
  { name, version }: RunKindName,
  { host, state }: PluginRuntime,
) {
  const [{ runs = [] }, started] = await Promise.all([plugin.load(), state()]);
  const kind = runs.find((each) => each.name === name && each.version === version);
  if (!kind) throw new Error(`plugin "${plugin.name}" lists runs of kind ${name} and has none`);
  return { kind, host, state: started };
}

function ownVisit(): Visit {
  return { sessionId: crypto.randomUUID(), isResumed: false, environment: process.env };
}

/** What the lean profile lists. */
function leanList(tools: LoadedConfig['config']['tools']) {
  const alsoListed = new Set(Object.keys(tools).filter((name) => tools[name]?.listed));
  return (tool: RegisteredTool) => tool.isListedWhenLean === true || alsoListed.has(tool.name);
}

function budgetOverrides(tools: LoadedConfig['config']['tools']): Record<string, number> {
  return Object.fromEntries(
    Object.entries(tools).flatMap(([name, { timeoutMs }]) =>
      timeoutMs === undefined ? [] : [[name, timeoutMs]],
    ),
  );
}
