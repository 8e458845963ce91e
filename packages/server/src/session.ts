import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type Caller,
  type Channel,
  type Dispatcher,
  type JobQueue,
  JSON_RPC,
  ProtocolError,
  type Registry,
} from '@nexus/core';
import type { Log, Root } from '@nexus/plugin-sdk';
import type { Catalogue } from './catalogue/catalogue.ts';
import { channelTransport } from './channel-transport.ts';
import { clientRequests } from './client-requests.ts';
import { directRequests } from './direct-requests.ts';
import { lazySchemaValidator } from './lazy-schema-validator.ts';
import { createRoots } from './roots.ts';
import { serveCatalogue } from './serve-catalogue.ts';
import { serveTasks, TASKS_CAPABILITY } from './serve-tasks.ts';
import { serveTools } from './serve-tools.ts';
import { sessionLog } from './session-log.ts';

/** What every session of one Nexus serves. */
export interface SessionServices {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions: string | undefined;
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  /** The dispatcher's, for `tasks/…`. */
  readonly jobs: JobQueue;
  readonly catalogue: Catalogue;
  /** Calls back with the URI of each resource that changed; answers how to stop. */
  onResourceUpdated(listener: (uri: string) => void): () => void;
  readonly projectRoot: Root;
  readonly log: Log;
}

export interface Session {
  readonly id: string;
  readonly startedAt: Date;
  /** As it named itself at initialize; undefined before. */
  client(): { readonly name: string; readonly version: string } | undefined;
  /** Requests from the client that have no answer yet. */
  inFlight(): number;
  /** Resolves when the channel is closed, from either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** How long requests in flight may go on after the client closed its input. */
const DRAIN_MS = 3_000;

/**
 * Runs one MCP session on a channel until it closes.
 * @param id kept by a session that moves from one server to the next; new by default
 */
export function serveSession(
  channel: Channel,
  services: SessionServices,
  id: string = crypto.randomUUID(),
): Session {
  const { registry, dispatcher, jobs, catalogue, info, instructions } = services;
  let hasGone = false;
  const startedAt = new Date();
  const log = childLog(services.log, id);
  const validator = lazySchemaValidator();
  const server = new Server(
    { ...info },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
        tasks: TASKS_CAPABILITY,
      },
      ...(instructions === undefined ? {} : { instructions }),
      jsonSchemaValidator: validator,
    },
  );
  const roots = createRoots(server, services.projectRoot, log);
  const toolLog = sessionLog(server, log);
  const caller: Caller = {
    sessionId: id,
    get client() {
      const { name = 'unknown', version = 'unknown' } = server.getClientVersion() ?? {};
      return { name, version };
    },
    log: toolLog,
    roots,
  };
  const handlers = {
    ...serveTasks({ jobs, caller }),
    ...serveTools({
      registry,
      dispatcher,
      caller,
      ask: (requestId) => clientRequests(server, validator, requestId),
      notify: (params, requestId) =>
        void server
          .notification(
            { method: 'notifications/progress', params: params as never },
            requestId === undefined ? {} : { relatedRequestId: requestId },
          )
          .catch(ignoreGone),
      hasGone: () => hasGone,
    }),
  };
  server.fallbackRequestHandler = async ({ method }) => {
    throw new ProtocolError(JSON_RPC.methodNotFound, `Method not found: ${method}`);
  };
  const stopUpdates = serveCatalogue(server, {
    catalogue,
    onResourceUpdated: services.onResourceUpdated,
    tools: () =>
      registry.list(id).map(({ name, listing, hints }) => ({
        name,
        title: listing.title ?? name,
        description: listing.description ?? '',
        annotations: hints,
      })),
  });
  const stopListChanged = registry.onChange((sessionId) => {
    if (sessionId === undefined || sessionId === id) server.sendToolListChanged().catch(ignoreGone);
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = () => {
      hasGone = true;
      stopUpdates();
      stopListChanged();
      registry.endSession(id);
      dispatcher.endSession(id);
      resolve();
    };
  });
  server.onerror = (error) => log.warn('a message of the client could not be handled', { err: error });
  const transport = channelTransport(channel, directRequests(handlers, channel), DRAIN_MS);
  void server.connect(transport);
  return {
    id,
    startedAt,
    client: () => server.getClientVersion(),
    inFlight: transport.inFlight,
    closed,
    close: () => server.close(),
  };
}

/** A notification to a client that has just gone needs no answer. */
function ignoreGone(): void {}

function childLog(log: Log, sessionId: string): Log {
  const at = (level: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    log[level](message, { session: sessionId, ...fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
