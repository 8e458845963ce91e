import { isRecord, ProtocolError } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import type { ListAddress } from '../catalogue/known-lists.ts';
import {
  type Connection,
  ConnectionError,
  type ConnectionListener,
  type ServerState,
  supervise,
} from '../connection/index.ts';
import { createInFlightCalls, type InFlightCalls } from './in-flight.ts';

type Members = Readonly<Record<string, unknown>>;

/** A connection that several may use, made when the first one needs it and made again when it was lost. */
export interface Link {
  readonly calls: InFlightCalls;
  /** `toolbox/server` of each that it stands for: several where their settings are equal. */
  readonly names: ReadonlySet<string>;
  readonly state: ServerState;
  readonly restarts: number;
  readonly lastError: string | undefined;
  readonly toolCount: number | undefined;
  /** Undefined while there is none. */
  readonly connection: Connection | undefined;
  /**
   * For a toolbox that is opened: connects whatever was before, and lets the tools be known at the address.
   * @throws {ConnectionError}
   */
  open(address: ListAddress): Promise<Connection>;
  /**
   * For a call: the same, but at once without a connection while a restart waits.
   * @throws {ConnectionError}
   */
  connect(address: ListAddress): Promise<Connection>;
  /** Runs one call, unless the server has answered none lately. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** A list other than of tools, kept until the server says that it changed. */
  list(what: ListName, how?: { readonly isFresh: boolean }): Promise<readonly Members[]>;
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly serverName: string;
  readonly log: Log;
  /** Opens the session with the server; ends with the signal. */
  dial(listener: ConnectionListener, signal: AbortSignal): Promise<Connection>;
  /** How long the server may take for one of its lists, in milliseconds. */
  readonly listTimeoutMs: number;
  /** Takes a list of tools from the server, for each address it is known at. */
  listed(address: ListAddress, tools: readonly unknown[]): Promise<void>;
  notified(method: string, params: Members): void;
  /** There is a new connection, which knows nothing of what the one before was told. */
  connected(connection: Connection): void;
}

/** Lists that are read when somebody asks for them. */
const LISTS = {
  resources: { method: 'resources/list', key: 'resources', capability: 'resources' },
  resourceTemplates: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    capability: 'resources',
  },
  prompts: { method: 'prompts/list', key: 'prompts', capability: 'prompts' },
} as const;

export type ListName = keyof typeof LISTS;

const CHANGED: Readonly<Record<string, readonly ListName[]>> = {
  'notifications/resources/list_changed': ['resources', 'resourceTemplates'],
  'notifications/prompts/list_changed': ['prompts'],
};

export function createLink(options: LinkOptions): Link {
  const { serverName, log, listTimeoutMs } = options;
  const calls = createInFlightCalls();
  const addresses = new Map<string, ListAddress>();
  /** Where the list that is held now was told of. */
  const told = new Set<string>();
  const lists = new Map<ListName, Promise<readonly Members[]>>();
  let tools: readonly unknown[] | undefined;
  let relisting: Promise<void> = Promise.resolve();

  const listener: ConnectionListener = {
    notification(method, params) {
      if (method === 'notifications/tools/list_changed') return relist();
      for (const name of CHANGED[method] ?? []) lists.delete(name);
      options.notified(method, params);
    },
    request: (method, params) => calls.ask(method, params),
  };

  const supervisor = supervise({
    serverName,
    log,
    async dial(signal) {
      const opened = await options.dial(listener, signal);
      try {
        await readTools(opened, signal);
        return opened;
      } catch (error) {
        await opened.close();
        throw asListFailure(error);
      }
    },
    onState(state) {
      lists.clear();
      if (state === 'ready' && supervisor.connection) options.connected(supervisor.connection);
    },
  });

  async function readTools(from: Connection, signal?: AbortSignal): Promise<void> {
    const inTime = AbortSignal.timeout(listTimeoutMs);
    const hasTools = from.server.capabilities.tools !== undefined;
    tools = hasTools
      ? await from.list('tools/list', 'tools', {
          signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
        })
      : [];
    told.clear();
    await Promise.all([...addresses].map(([key, address]) => tell(key, address)));
  }

  async function tell(key: string, address: ListAddress): Promise<void> {
    if (tools === undefined || told.has(key)) return;
    await options.listed(address, tools);
    told.add(key);
  }

  /** One after the other: the last list to be read is the last to be told of. */
  function relist(): void {
    relisting = relisting.then(async () => {
      const { connection } = supervisor;
      if (!connection) return;
      try {
        await readTools(connection);
      } catch (error) {
        log.warn('a changed list of tools could not be read', { server: serverName, err: error });
      }
    });
  }

  function asListFailure(error: unknown): unknown {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    if (!isLate && !(error instanceof ProtocolError)) return error;
    const reason = isLate
      ? `did not list its tools within ${listTimeoutMs} ms`
      : `refused tools/list: ${error.message}`;
    return new ConnectionError(serverName, { reason }, { cause: error, isUnsent: true });
  }

  async function connected(address: ListAddress, connecting: () => Promise<Connection>): Promise<Connection> {
    const key = `${address.toolbox}\0${address.server}\0${address.settingsKey}`;
    addresses.set(key, address);
    const opened = await connecting();
    await tell(key, address);
    return opened;
  }

  return {
    calls,
    get names() {
      return new Set([...addresses.values()].map(({ toolbox, server }) => `${toolbox}/${server}`));
    },
    get state() {
      return supervisor.state;
    },
    get restarts() {
      return supervisor.restarts;
    },
    get lastError() {
      return supervisor.lastError;
    },
    get toolCount() {
      return tools?.length;
    },
    get connection() {
      return supervisor.connection;
    },
    open: (address) => connected(address, supervisor.open),
    connect: (address) => connected(address, supervisor.connect),
    run: supervisor.run,
    async list(what, { isFresh } = { isFresh: false }) {
      const { method, key, capability } = LISTS[what];
      const { connection } = supervisor;
      if (connection?.server.capabilities[capability] === undefined) return [];
      const known = isFresh ? undefined : lists.get(what);
      if (known) return known;
      const listed = connection
        .list(method, key, { signal: AbortSignal.timeout(listTimeoutMs) })
        .then((items) => items.filter(isRecord));
      lists.set(what, listed);
      listed.catch(() => lists.get(what) === listed && lists.delete(what));
      return listed;
    },
    close: supervisor.close,
  };
}
