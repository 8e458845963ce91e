import { join } from 'node:path';
import { type ConnectOptions, connectServer } from '@nexus/client';
import { createWatchdog } from '@nexus/processes';
import { relayedTool } from './calls/relayed-tool.ts';
import { preloadLists, readCatalogue } from './catalogue/catalogue.ts';
import { createUnknownServers } from './catalogue/list-unknown.ts';
import { createOwnTools, isOwn } from './catalogue/own-tools.ts';
import { reachTool } from './catalogue/reach.ts';
import type { DownstreamsOptions, RunningDownstreams } from './downstreams.ts';
import { createLeases } from './leases/leases.ts';
import { createLink, type Link } from './leases/link.ts';
import { createKnownLists } from './lists/known-lists.ts';
import { createOffers, type Offer } from './offers/offer.ts';
import { complete } from './passing/completions.ts';
import { createLogLevels } from './passing/log-levels.ts';
import { passNotification } from './passing/notifications.ts';
import { getPrompt, sessionPrompts } from './passing/prompts.ts';
import { listResources, listTemplates, readResource } from './passing/resources.ts';
import { tellRootsChanged } from './passing/roots-changed.ts';
import { createSubscriptions } from './passing/subscriptions.ts';
import { createPinStore } from './pins/pin-store.ts';
import type { OfferedServer } from './server-address.ts';
import type { Waiting } from './sessions/hold-servers.ts';
import { closeToolbox, openToolbox } from './sessions/open-toolbox.ts';
import { reconfigure } from './sessions/reconfigure.ts';
import { registerTools } from './sessions/register-tools.ts';
import { createSessions, type Session } from './sessions/session.ts';
import { beginSession, type OpenUnasked } from './sessions/session-start.ts';
import { connectionStatus, summarizeToolboxes } from './status.ts';
import { opener } from './store/database.ts';
import { createOpenToolboxes } from './store/open-toolboxes.ts';
import { candidatesOf, tryServers } from './trials/try-servers.ts';
import { offerFor, type Workplace } from './workplace.ts';

const DEFAULT_OPEN_MS = 30_000;

/** Other MCP servers, grouped by the config and opened on demand. Nothing is started before it is needed. */
export function createDownstreams(options: DownstreamsOptions): RunningDownstreams {
  const { registry, log, shutdown, openTimeoutMs = DEFAULT_OPEN_MS } = options;
  const open = opener(options.store);
  const pins = createPinStore(open);
  const lists = createKnownLists(open, pins);
  const sessions = createSessions();
  const watchdog = createWatchdog();
  const levels = createLogLevels(sessions);
  const subscriptions = createSubscriptions(log);
  const own = createOwnTools(registry);
  const leases = createLeases({
    createLink: (server) => newLink(server),
    isHeld: (address, tool) => lists.get(address)?.held.has(tool) === true,
  });
  const offers = createOffers(lists, (origin, listing) =>
    relayedTool(origin, listing, { log, lease: leases.take }),
  );
  const place: Workplace = {
    source: options.source,
    registry,
    log,
    sessions,
    offers,
    lists,
    leases,
    openToolboxes: createOpenToolboxes(open),
  };
  const unknown = createUnknownServers(place);

  function dial(server: OfferedServer, how: Pick<ConnectOptions, 'listener' | 'signal' | 'interactive'>) {
    return connectServer(server.settings, {
      ...how,
      serverName: server.server,
      toolbox: server.toolbox,
      authFolder: join(options.dataDir, 'auth'),
      clientInfo: options.info,
      log,
      timeoutMs: openTimeoutMs,
      projectRoot: options.projectRoot,
      openLines: options.openLines,
      watchdog,
    });
  }

  function newLink(server: OfferedServer): Link {
    const link: Link = createLink({
      serverName: server.server,
      log,
      dial: (listener, signal) => dial(server, { listener, signal }),
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

  lists.onChange((address) => {
    offers.changed(address);
    for (const session of sessions.all()) {
      const offer = session.open.get(address.toolbox)?.offer ?? session.offers.get(address.toolbox);
      const hasTools = session.open.has(address.toolbox) || session.reached.has(address.toolbox);
      if (offer && hasTools) registerTools(place, session, offer);
    }
  });

  async function openFor(session: Session, offer: Offer, waiting: Waiting) {
    const opened = await openToolbox(place, session, { offer, waiting });
    levels.apply(session);
    return opened;
  }
  const openUnasked: OpenUnasked = (session, offer) =>
    openFor(session, offer, { sessionId: session.id, signal: shutdown });

  function release(session: Session): void {
    const held = [...session.open.values()].flatMap((each) => each.leases);
    session.open.clear();
    session.reached.clear();
    registry.endSession(session.id);
    subscriptions.prune(session);
    for (const { link } of held) levels.settle(link);
    for (const lease of held) lease[Symbol.dispose]();
  }

  return {
    async list(sessionId) {
      const session = sessions.of(sessionId);
      await preloadLists(place, session);
      return summarizeToolboxes(place, session);
    },
    async open(toolbox, { session: { id }, ask, signal }) {
      const session = sessions.of(id);
      return openFor(session, offerFor(place, session, toolbox), { sessionId: id, ask, signal });
    },
    async close(toolbox, caller) {
      const session = sessions.of(caller.session.id);
      offerFor(place, session, toolbox);
      await session.opening.get(toolbox)?.settled;
      const held = session.open.get(toolbox)?.leases ?? [];
      const count = closeToolbox(place, session, toolbox);
      for (const { link } of held) levels.settle(link);
      subscriptions.prune(session);
      await place.openToolboxes.remove(session.id, toolbox);
      return count;
    },
    catalogue: (caller) =>
      readCatalogue(
        { place, unknown, own: options.includesOwnTools ? own : undefined },
        sessions.of(caller.session.id),
        caller,
      ),
    async reach(address, caller) {
      if (isOwn(address)) return own.reach(address);
      return reachTool(place, sessions.of(caller.session.id), { address, caller });
    },
    ready: (sessionId) => sessions.get(sessionId)?.ready,
    resources: (sessionId) => listResources(place, sessions.of(sessionId)),
    resourceTemplates: (sessionId) => listTemplates(place, sessions.of(sessionId)),
    async prompts(sessionId) {
      const prompts = await sessionPrompts(place, sessions.of(sessionId), { isFresh: true });
      return [...prompts.values()].map(({ listing }) => listing);
    },
    readResource: (sessionId, uri, request) => readResource(sessions.of(sessionId), uri, request),
    getPrompt: (sessionId, prompt, request) => getPrompt(place, sessions.of(sessionId), { prompt, request }),
    complete: (sessionId, params, request) => complete(place, sessions.of(sessionId), { params, request }),
    subscribe: (sessionId, uri) => subscriptions.subscribe(sessions.of(sessionId), uri),
    unsubscribe: (sessionId, uri) => subscriptions.unsubscribe(sessions.of(sessionId), uri),
    async setLogLevel(sessionId, level) {
      const session = sessions.of(sessionId);
      session.logLevel = level;
      levels.apply(session);
    },
    rootsChanged(sessionId, ask) {
      const session = sessions.get(sessionId);
      if (session) tellRootsChanged(session, ask, { sessions, log });
    },
    onNotification(sessionId, listener) {
      const { listeners } = sessions.of(sessionId);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    startSession(sessionId, { environment, isResumed }) {
      // Of a call that was run again before its session came back.
      const earlier = sessions.end(sessionId);
      if (earlier) release(earlier);
      const session = sessions.start(sessionId, environment);
      if (place.source.toolboxes.length === 0) return;
      setImmediate(() => shutdown.aborted || void preloadLists(place, session));
      session.ready = beginSession(place, session, { isResumed, open: openUnasked }).finally(() => {
        session.ready = undefined;
      });
    },
    async endSession(sessionId) {
      const session = sessions.end(sessionId);
      if (!session) return;
      const hadAny = session.open.size > 0;
      release(session);
      session.listeners.clear();
      if (hadAny && !shutdown.aborted) await place.openToolboxes.remove(sessionId);
    },
    reconfigure: (source) => reconfigure(place, { source, open: openUnasked }),
    tryServers(trial) {
      const { toolboxes = place.source.toolboxes.map(({ name }) => name), environment, isWanted } = trial;
      const candidates = toolboxes
        .flatMap((name) => candidatesOf(place.source, name, environment))
        .filter(({ offered }) => !('settings' in offered) || (isWanted?.(offered.settings) ?? true));
      return tryServers({ dial, lists, listTimeoutMs: openTimeoutMs }, candidates, trial);
    },
    status: () => connectionStatus(place),
    pins: {
      held: pins.held,
      async accept(toolbox, server, tool) {
        const accepted = await pins.accept(toolbox, server, tool);
        for (const address of accepted) await lists.recheck(address);
        return accepted;
      },
    },
    async stop() {
      await leases.close();
      watchdog.close();
    },
  };
}
