import { join } from 'node:path';
import { connectServer, type Interactive } from '@nexus/client';
import { createWatchdog } from '@nexus/processes';
import { relayedTool } from './calls/relayed-tool.ts';
import { createKnownLists } from './catalogue/known-lists.ts';
import { createOffers } from './catalogue/offers.ts';
import type { DownstreamsOptions, RunningDownstreams } from './downstreams.ts';
import { createLeases } from './leases/leases.ts';
import { createLink, type Link } from './leases/link.ts';
import { createUnknownServers } from './listing/list-unknown.ts';
import { DEFAULT_OPEN_MS, openMs } from './listing/open-ms.ts';
import { tryServers } from './listing/try-servers.ts';
import { complete } from './passing/completions.ts';
import { createLogLevels } from './passing/log-levels.ts';
import { passNotification } from './passing/notifications.ts';
import { getPrompt, sessionPrompts } from './passing/prompts.ts';
import { listResources, listTemplates, readResource } from './passing/resources.ts';
import { tellRootsChanged } from './passing/roots-changed.ts';
import { createSubscriptions } from './passing/subscriptions.ts';
import { createPinStore } from './pins/pin-store.ts';
import type { OfferedServer } from './server-address.ts';
import { createHoldings } from './sessions/holdings.ts';
import { createOpenings } from './sessions/openings.ts';
import { reachTool } from './sessions/reach.ts';
import { reconfigure } from './sessions/reconfigure.ts';
import { createSessions } from './sessions/session.ts';
import { beginSession } from './sessions/session-start.ts';
import { createUnasked } from './sessions/unasked.ts';
import { createLearntShapes } from './shapes/learnt-shapes.ts';
import { opener } from './store/database.ts';
import { createOpenToolboxes } from './store/open-toolboxes.ts';
import { heldBackNames } from './views/held-back-names.ts';
import { checkCall, whyNot } from './views/known-of-origin.ts';
import { leftOutOfOpen } from './views/left-out.ts';
import { createOwnTools, isOwn } from './views/own-tools.ts';
import { connectionStatus, summarizeToolboxes } from './views/status.ts';
import { startingOf, tellingOfWaits } from './views/telling-of-waits.ts';
import { preloadLists, wholeCatalogue } from './views/whole-catalogue.ts';

/** Other MCP servers, grouped by the config and opened on demand. Nothing is started before it is needed. */
export function createDownstreams(options: DownstreamsOptions): RunningDownstreams {
  const { registry, log, shutdown, openTimeoutMs = DEFAULT_OPEN_MS } = options;
  const open = opener(options.store);
  const record = createOpenToolboxes(open);
  const pins = createPinStore(open);
  const lists = createKnownLists(open, pins, options.build);
  const shapes = createLearntShapes(open, log);
  const sessions = createSessions(async (session) => {
    const hadAny = [...session.holdings.values()].some(({ state }) => state === 'open');
    holdings.end(session);
    session.listeners.clear();
    // One that came back by another connection has it on record still.
    const isBack = [...sessions.all()].some(({ id, isClients }) => isClients && id === session.id);
    if (hadAny && session.isClients && !isBack && !shutdown.aborted) await record.remove(session.id);
  });
  const watchdog = createWatchdog();
  const levels = createLogLevels(sessions);
  const subscriptions = createSubscriptions(log);
  const own = createOwnTools(registry);
  const leases = createLeases({
    createLink: newLink,
    isPending: (address, tool) => lists.get(address)?.pending.has(tool) === true,
  });
  const { take } = leases;
  const offers = createOffers(options.source, {
    lists,
    permits: registry.permits,
    relay: (origin, listing) =>
      relayedTool(origin, listing, { log, shapes, spans: options.spans, lease: take }),
  });
  const holdings = createHoldings({
    registry,
    toolMode: () => offers.source.toolMode,
    users: sessions.users,
    moved(session, links) {
      for (const link of links) levels.settle(link);
      subscriptions.prune(session);
    },
  });
  const openings = createOpenings({ offers, holdings, take, record, log });
  const unasked = createUnasked({ offers, openings, log, shutdown });
  const unknown = createUnknownServers(take, lists);

  function newLink(server: OfferedServer, interactive?: Interactive): Link {
    const link: Link = createLink({
      serverName: server.server,
      log,
      dial: (listener, signal) =>
        connectServer(server.settings, {
          listener,
          signal,
          interactive,
          serverName: server.server,
          toolbox: server.toolbox,
          authFolder: join(options.dataDir, 'auth'),
          clientInfo: options.info,
          log,
          timeoutMs: openMs(server.settings, openTimeoutMs),
          projectRoot: options.projectRoot,
          openLines: options.openLines,
          watchdog,
          secretUsed: options.secretUsed,
        }),
      listTimeoutMs: openTimeoutMs,
      check: lists.listed,
      notified: (method, params) => passNotification({ sessions, subscriptions }, link, { method, params }),
      connected() {
        subscriptions.restore(link);
        levels.settle(link);
      },
    });
    return link;
  }

  lists.onChange(({ toolbox }) => {
    for (const session of sessions.all()) holdings.refresh(session, toolbox);
  });

  return {
    names: async () => offers.outlines(),
    async list(toolboxes, scope) {
      const session = sessions.of(scope);
      await preloadLists({ offers, lists, log }, session, toolboxes);
      return summarizeToolboxes({ offers, leases, lists }, session, toolboxes);
    },
    async open(toolbox, caller) {
      const session = sessions.of(caller.session);
      const opening = openings.open(session, toolbox, caller);
      const opened = await tellingOfWaits(opening, caller, () =>
        startingOf(leases, session, offers.of(toolbox, session.environment).servers),
      );
      const isKnown = opened.isListed && (await options.relisting?.knowsList(caller.session, caller.signal));
      return isKnown === false ? { ...opened, isListed: false } : opened;
    },
    async close(toolbox, caller) {
      const session = sessions.of(caller.session);
      offers.of(toolbox, session.environment);
      return openings.close(session, toolbox);
    },
    async catalogue(caller) {
      const session = sessions.of(caller.session);
      const shownOwn = options.includesOwnTools?.(caller.session) ? own : undefined;
      const listing = wholeCatalogue({ offers, lists, unknown, own: shownOwn }, session, caller.signal);
      return tellingOfWaits(listing, caller, () =>
        startingOf(
          leases,
          session,
          offers.all(session.environment).offers.flatMap((offer) => offer.servers),
        ),
      );
    },
    whyNot: (origin, scope) => whyNot({ offers, lists }, sessions.of(scope), origin),
    check: (call, scope) => checkCall({ offers, lists }, sessions.of(scope), call),
    heldBack(scope) {
      const session = sessions.get(scope);
      return session ? heldBackNames(offers, session) : new Map();
    },
    shapes: (tools, { user }) => shapes.of(tools, user),
    async reach(address, caller) {
      if (isOwn(address)) return own.reach(address);
      const session = sessions.of(caller.session);
      const reaching = reachTool({ offers, lists, take, holdings, registry }, session, { address, caller });
      return tellingOfWaits(reaching, caller, () =>
        startingOf(leases, session, offers.of(address.toolbox, session.environment).servers),
      );
    },
    leftOut(scope) {
      const session = sessions.get(scope);
      return session && offers.source.toolMode === 'dynamic' ? leftOutOfOpen(session, lists) : [];
    },
    ready: (scope) => sessions.get(scope)?.ready,
    resources: (scope) => listResources(sessions.of(scope), log),
    resourceTemplates: (scope) => listTemplates(sessions.of(scope), log),
    async prompts(scope) {
      const prompts = await sessionPrompts(sessions.of(scope), { isFresh: true, log });
      return [...prompts.values()].map(({ listing }) => listing);
    },
    readResource: (scope, uri, request) => readResource(sessions.of(scope), uri, request),
    getPrompt: (scope, prompt, request) => getPrompt(sessions.of(scope), prompt, { request, log }),
    complete: (scope, params, request) => complete(sessions.of(scope), params, { request, log }),
    subscribe: (scope, uri) => subscriptions.subscribe(sessions.of(scope), uri),
    unsubscribe: (scope, uri) => subscriptions.unsubscribe(sessions.of(scope), uri),
    async setLogLevel(scope, level) {
      const session = sessions.of(scope);
      session.logLevel = level;
      levels.apply(session);
    },
    rootsChanged(scope, ask) {
      const session = sessions.get(scope);
      if (session) tellRootsChanged(session, ask, { sessions, log });
    },
    onNotification(scope, listener) {
      const { listeners } = sessions.of(scope);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    startSession(scope, { environment, isResumed }) {
      const session = sessions.start(scope, environment);
      if (offers.source.toolboxes.length === 0) return;
      setImmediate(() => shutdown.aborted || void preloadLists({ offers, lists, log }, session));
      session.ready = beginSession({ offers, unasked, record, log }, session, { isResumed }).finally(() => {
        session.ready = undefined;
      });
    },
    reconfigure: (source) => reconfigure({ offers, sessions, holdings, openings, unasked, log }, source),
    tryServers: (trial) => tryServers(leases.apart, { offers, lists }, trial),
    status: () => connectionStatus(leases, sessions),
    pins: {
      pending: pins.pending,
      async accept(place, shown) {
        const accepted = await pins.accept(place, shown);
        for (const address of accepted) await lists.recheck(address);
        return accepted;
      },
    },
    async stop() {
      await leases.close();
      await shapes.stop();
      watchdog.close();
    },
  };
}
