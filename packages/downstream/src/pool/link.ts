import { isRecord } from '@nexus/core';
import type { ListAddress } from '../catalogue/known-lists.ts';
import {
  type Connection,
  ConnectionError,
  type ConnectionListener,
  type RequestOptions,
} from '../connection/index.ts';
import { createInFlightCalls, type InFlightCalls } from './in-flight.ts';

type Members = Readonly<Record<string, unknown>>;

export type LinkState = 'idle' | 'connecting' | 'ready' | 'restarting' | 'failed';

/** A connection that several may use, made when the first one needs it and made again when it was lost. */
export interface Link {
  readonly calls: InFlightCalls;
  /** `toolbox/server` of each that it stands for: several where their settings are equal. */
  readonly names: ReadonlySet<string>;
  readonly state: LinkState;
  readonly restarts: number;
  readonly lastError: string | undefined;
  readonly toolCount: number | undefined;
  /** Undefined while there is none. */
  readonly connection: Connection | undefined;
  /**
   * Connects where there is no connection, and lets the server's list of tools be known at the address.
   * @throws {ConnectionError}
   */
  connect(address: ListAddress): Promise<Connection>;
  /** A list other than of tools, kept until the server says that it changed. */
  list(
    what: ListName,
    options?: RequestOptions & { readonly isFresh?: boolean },
  ): Promise<readonly Members[]>;
  close(): Promise<void>;
}

export interface LinkOptions {
  /** Opens the session with the server; ends with the signal. */
  dial(listener: ConnectionListener, signal: AbortSignal): Promise<Connection>;
  /** How long the server may take for its list of tools, in milliseconds. */
  readonly listTimeoutMs: number;
  /** Takes a list from the server, for each address it is known at. */
  listed(address: ListAddress, tools: readonly unknown[]): Promise<void>;
  notified(method: string, params: Members): void;
  /** There is a new connection, which knows nothing of what the one before was told. */
  connected(connection: Connection): void;
  failed(what: string, error: unknown): void;
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
  const calls = createInFlightCalls();
  const addresses = new Map<string, ListAddress>();
  /** Where the list that is held now was told of. */
  const told = new Set<string>();
  const lists = new Map<ListName, Promise<readonly Members[]>>();
  const end = new AbortController();
  let connection: Connection | undefined;
  let connecting: Promise<Connection> | undefined;
  let tools: readonly unknown[] | undefined;
  let lastError: string | undefined;
  let starts = 0;
  let relisting: Promise<void> = Promise.resolve();

  const listener: ConnectionListener = {
    notification(method, params) {
      if (method === 'notifications/tools/list_changed') return relist();
      for (const name of CHANGED[method] ?? []) lists.delete(name);
      options.notified(method, params);
    },
    request: (method, params) => calls.ask(method, params),
  };

  async function dial(): Promise<Connection> {
    try {
      const opened = await options.dial(listener, end.signal);
      void opened.closed.then(({ reason }) => {
        if (connection !== opened) return;
        connection = undefined;
        lists.clear();
        if (!end.signal.aborted) lastError = reason;
      });
      await readTools(opened);
      connection = opened;
      lastError = undefined;
      starts += 1;
      options.connected(opened);
      return opened;
    } catch (error) {
      lastError = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  async function readTools(from: Connection): Promise<void> {
    try {
      const hasTools = from.server.capabilities.tools !== undefined;
      const signal = AbortSignal.any([end.signal, AbortSignal.timeout(options.listTimeoutMs)]);
      tools = hasTools ? await from.list('tools/list', 'tools', { signal }) : [];
      told.clear();
      await Promise.all([...addresses].map(([key, address]) => tell(key, address)));
    } catch (error) {
      await from.close();
      throw error;
    }
  }

  async function tell(key: string, address: ListAddress): Promise<void> {
    if (tools === undefined || told.has(key)) return;
    await options.listed(address, tools);
    told.add(key);
  }

  /** One after the other: the last list to be read is the last to be told of. */
  function relist(): void {
    relisting = relisting.then(async () => {
      if (!connection) return;
      try {
        tools = await connection.list('tools/list', 'tools', {
          signal: AbortSignal.any([end.signal, AbortSignal.timeout(options.listTimeoutMs)]),
        });
        told.clear();
        await Promise.all([...addresses].map(([key, address]) => tell(key, address)));
      } catch (error) {
        options.failed('a changed list of tools could not be read', error);
      }
    });
  }

  return {
    calls,
    get names() {
      return new Set([...addresses.values()].map(({ toolbox, server }) => `${toolbox}/${server}`));
    },
    get state() {
      if (connection) return 'ready';
      if (connecting) return starts === 0 ? 'connecting' : 'restarting';
      return lastError === undefined ? 'idle' : 'failed';
    },
    get restarts() {
      return Math.max(0, starts - 1);
    },
    get lastError() {
      return lastError;
    },
    get toolCount() {
      return tools?.length;
    },
    get connection() {
      return connection;
    },
    async connect(address) {
      const key = `${address.toolbox}\0${address.server}\0${address.settingsKey}`;
      addresses.set(key, address);
      if (!connection) {
        connecting ??= dial().finally(() => {
          connecting = undefined;
        });
      }
      const opened = connection ?? (await connecting);
      if (!opened) throw new ConnectionError(address.server, { reason: 'was closed' });
      if (!told.has(key)) await tell(key, address);
      return opened;
    },
    list(what, { isFresh, ...request } = {}) {
      const { method, key, capability } = LISTS[what];
      if (!connection || connection.server.capabilities[capability] === undefined) return Promise.resolve([]);
      const known = isFresh ? undefined : lists.get(what);
      if (known) return known;
      const listed = connection.list(method, key, request).then((items) => items.filter(isRecord));
      lists.set(what, listed);
      listed.catch(() => lists.get(what) === listed && lists.delete(what));
      return listed;
    },
    async close() {
      end.abort(new ConnectionError('', { reason: 'was closed' }));
      await connection?.close();
      await connecting?.catch(() => {});
    },
  };
}
