import {
  type Caller,
  type Channel,
  type ClientOfUser,
  type ClientRequests,
  childLog,
  createSessionScope,
  type Dispatcher,
  type Downstreams,
  endsWithin,
  isRecord,
  type JobQueue,
  type OwnedScope,
  type Registry,
  type Relisting,
  toolsInSight,
} from '@nexus/core';
import { createPeer, type Members, type Peer, type RequestId } from '@nexus/core/json-rpc';
import { ANSWERED_BY, MAY_REPEAT, TOLD_TO_BRIDGE } from '@nexus/core/told-to-bridge';
import type { Log, Root, SessionScope } from '@nexus/plugin-sdk';
import { announceChanges } from './announce-changes.ts';
import { noDownstreams } from './behind/no-downstreams.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { type AskedClient, RequestsOfCall } from './client-requests.ts';
import { byMethod } from './handler.ts';
import { handshake } from './handshake.ts';
import { outgoing } from './outgoing.ts';
import { progressSender } from './progress-sender.ts';
import type { KeptResults } from './results/kept-results.ts';
import { resultLimiter } from './results/result-limiter.ts';
import { createRoots } from './roots.ts';
import { serveCatalogue } from './serve-catalogue.ts';
import { serveTasks, TASKS_CAPABILITY } from './serve-tasks.ts';
import { serveTools } from './serve-tools.ts';
import { sessionLog } from './session-log.ts';
import { whenReady } from './when-ready.ts';

/** What every session of one Nexus serves. */
export interface SessionServices {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  /** What a client's model is told at the start of its session; asked once, at initialize. */
  instructions(session: SessionScope, client: ClientOfUser): string | undefined;
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  /** The dispatcher's, for `tasks/…`. */
  readonly jobs: JobQueue;
  readonly catalogue: Catalogue;
  /** Calls back with the URI of each resource that changed; answers how to stop. */
  onResourceUpdated(listener: (uri: string) => void): () => void;
  /** What the servers behind this one offer; none by default. */
  readonly downstreams?: Downstreams | undefined;
  /** Where the whole of a result goes that is too long for an answer; without it, none is. */
  readonly results?: KeptResults | undefined;
  /** Hears when a client asks for its list of tools. */
  readonly relisting?: Pick<Relisting, 'listed'> | undefined;
  /** Whether a client that offers sampling, or does not, has a model to ask here; by default it has. */
  hasModel?(offersSampling: boolean): Promise<boolean>;
  readonly projectRoot: Root;
  readonly log: Log;
}

export interface ServedSession {
  readonly id: string;
  /** Of its channel: `stdio`, `ipc`, `http`, `memory`. */
  readonly kind: string;
  readonly startedAt: Date;
  /** As it named itself at initialize; undefined before. */
  client(): { readonly name: string; readonly version: string } | undefined;
  /**
   * Asks the client's user, for the server itself and no call.
   * @throws {ToolError} NEXUS_UNAVAILABLE, NEXUS_REFUSED
   */
  elicit: ClientRequests['elicit'];
  /** Tells the client an error of the server itself; nothing before initialize. */
  announce(message: string): void;
  /** Requests from the client that have no answer yet. */
  inFlight(): number;
  /** Resolves when the channel is closed, from either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
  tasks: TASKS_CAPABILITY,
} as const;

/** How long a request that goes on to another server may take; a server may ask a model or a person meanwhile. */
const PASSED_MS = 300_000;

const UNKNOWN_CLIENT = { name: 'unknown', version: 'unknown' };

/** How long requests in flight may go on after the client closed its input. */
const DRAIN_MS = 3_000;

/**
 * Runs one MCP session on a channel until it closes: the revisions that begin with a handshake. What a request
 * then meets (handlers by method, dispatcher, catalogue) knows no session but the caller it is given, so that an
 * adapter for revisions without one stands beside this file and takes the same.
 * @param scope owns what lives with the session; ended here, when the channel is closed
 */
export function serveSession(
  channel: Channel,
  services: SessionServices,
  scope: OwnedScope = createSessionScope({ id: crypto.randomUUID() }),
): ServedSession {
  const { registry, dispatcher, jobs, catalogue, results, info } = services;
  const downstreams = services.downstreams ?? noDownstreams;
  let hasGone = false;
  let isClosing = false;
  const { id } = scope;
  const startedAt = new Date();
  const log = childLog(services.log, { session: id });
  const { declared, initialize } = handshake(({ client: { name } }) => {
    const instructions = services.instructions(scope, { name, user: channel.user });
    return {
      capabilities: CAPABILITIES,
      serverInfo: info,
      ...(instructions === undefined ? {} : { instructions }),
    };
  });
  const client: AskedClient = {
    // Made below, and asked only by what runs for a request.
    peer: { request: (...request) => peer.request(...request) },
    trust: channel.trust,
    capabilities: () => declared()?.capabilities ?? {},
    protocolVersion: () => declared()?.protocolVersion,
  };
  const roots = createRoots(client, services.projectRoot, log);
  const send = (method: string, params?: Members, relatedRequestId?: RequestId) =>
    void peer.notify(method, params, { relatedRequestId }).catch(ignoreGone);
  const setLogLevel = (level: string) => {
    downstreams.setLogLevel(scope, level).catch((error: unknown) => {
      log.warn('the log level did not reach the servers behind this one', { level, err: error });
    });
  };
  const toBridge = (method: string) =>
    channel.kind === 'ipc'
      ? (told: object) => void peer.notify(method, { ...told }, { isUrgent: true }).catch(ignoreGone)
      : undefined;
  const toolLog = sessionLog(send, log, setLogLevel, toBridge(TOLD_TO_BRIDGE));
  const caller: Caller = {
    session: scope,
    user: channel.user,
    get client() {
      return declared()?.client ?? UNKNOWN_CLIENT;
    },
    log: toolLog,
    roots: roots.list,
    ...(channel.trust === 'network' ? { narrowed: roots.narrowed } : {}),
  };
  const limit = resultLimiter({
    scope,
    user: channel.user,
    results,
    registry,
    protocolVersion: client.protocolVersion,
  });
  const ask = (requestId: RequestId) => new RequestsOfCall(client, roots.told, requestId);
  const askUnasked = new RequestsOfCall(client, roots.told);
  const progress = progressSender(send);
  const subscribed = new Set<string>();
  const { mayCall = true } = channel;
  const waiting = {
    ...serveTools({
      mayCall,
      registry,
      dispatcher,
      caller,
      ask,
      wire: (requestId) => ({
        requestId,
        protocolVersion: declared()?.protocolVersion,
        channel: channel.kind,
        traceparent: channel.traceparentOf?.(requestId),
      }),
      progress,
      tellRepeat: toBridge(MAY_REPEAT),
      tellRun: toBridge(ANSWERED_BY),
      limit,
      hasGone: () => hasGone,
      listed: () => services.relisting?.listed(scope, { name: caller.client.name, user: channel.user }),
      leftOut: () => downstreams.leftOut(scope),
      hasModel: async () => (await services.hasModel?.(isRecord(declared()?.capabilities.sampling))) ?? true,
    }),
    ...serveCatalogue({
      scope,
      user: channel.user,
      roots: roots.list,
      catalogue,
      downstreams,
      results,
      subscribed,
      log,
      tools: toolsInSight(registry, scope).list,
      passed: (params, { end, requestId }) => ({
        signal: endsWithin(PASSED_MS, end),
        meta: isRecord(params._meta) ? params._meta : undefined,
        progress: progress(params, requestId),
        ask: ask(requestId),
      }),
    }),
  };
  const handlers = {
    initialize,
    ping: async () => ({}),
    'logging/setLevel': toolLog.setLevel,
    ...serveTasks({ mayCall, jobs, caller, limit, ask }),
    ...whenReady(waiting, () => downstreams.ready(scope)),
  };
  announceChanges({
    scope,
    registry,
    onResourceUpdated: services.onResourceUpdated,
    downstreams,
    subscribed,
    wantsLevel: toolLog.wants,
    send(method, params) {
      // Before initialize there is nothing that could have changed for the client.
      if (declared()) send(method, params);
    },
  });
  let finish = () => {};
  const closed = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const peer = createPeer(
    outgoing(channel),
    {
      request: byMethod(handlers, log),
      notification(method) {
        if (method === 'notifications/roots/list_changed') {
          roots.changed();
          downstreams.rootsChanged(scope, askUnasked);
        }
      },
      async closed() {
        // A script that pipes requests in and closes gets its answers.
        if (!isClosing) await drained(peer);
        hasGone = true;
        const gone = new Error('The client has gone');
        peer.fail({ pending: gone, later: gone });
        scope.end().catch((error: unknown) => log.error('a session left something behind', { err: error }));
        finish();
        // A client that closes only its side waits for ours.
        await channel.close();
      },
    },
    log,
  );
  const session: ServedSession = {
    id,
    kind: channel.kind,
    startedAt,
    elicit: (request, signal) => askUnasked.elicit(request, signal),
    client: () => declared()?.client,
    announce(message) {
      if (declared()) toolLog.announce(message);
    },
    inFlight: peer.inFlight,
    closed,
    async close() {
      isClosing = true;
      await channel.close();
      await closed;
    },
  };
  return session;
}

async function drained(peer: Peer): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([peer.idle(), late]);
  clearTimeout(timer);
}

/** A notification to a client that has just gone needs no answer. */
function ignoreGone(): void {}
