import {
  type Connection,
  ConnectionError,
  type ConnectionListener,
  type ServerState,
  type Supervisor,
  supervise,
} from '@nexus/client';
import { endsWithin, isLate, ProtocolError } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Log } from '@nexus/plugin-sdk';
import type { ListAddress } from '../server-address.ts';
import { createInFlightCalls, type InFlightCalls } from './in-flight.ts';
import { createKeptLists, type KeptLists, LIST_CHANGES } from './kept-lists.ts';
import { createPaced } from './paced.ts';

/** A connection that several may use, as everybody may see it. */
export interface LinkStatus {
  /** `toolbox/server` of each that it stands for: several where their settings are equal. */
  readonly names: ReadonlySet<string>;
  /** Sessions with a call in flight there. */
  readonly calling: ReadonlySet<string>;
  readonly state: ServerState;
  readonly pid: number | undefined;
  readonly restarts: number;
  /** See `Supervisor.leftAlone`. */
  readonly leftAlone: string | undefined;
  readonly lastError: string | undefined;
  readonly toolCount: number | undefined;
  /** What the server says of its own use. */
  readonly instructions: Connection['server']['instructions'];
}

/** The same for those who hand out leases on it: made when the first one needs it, and again when it was lost. */
export interface Link extends LinkStatus {
  readonly calls: InFlightCalls;
  readonly lists: KeptLists;
  readonly supervisor: Supervisor;
  /** The connection, if its list of tools was held to the pins of this address. */
  admitted(address: ListAddress): Connection | undefined;
  /** The same, once `connecting` has come to one. @throws {ConnectionError} */
  admit(address: ListAddress, connecting: () => Promise<Connection>): Promise<Connection>;
}

export interface LinkOptions {
  readonly serverName: string;
  readonly log: Log;
  /** Opens the session with the server; ends with the signal. */
  dial(listener: ConnectionListener, signal: AbortSignal): Promise<Connection>;
  /** How long the server may take for one of its lists, in milliseconds. */
  readonly listTimeoutMs: number;
  /** Holds a list of tools to the pins of an address. */
  check(address: ListAddress, tools: readonly unknown[]): Promise<void>;
  notified(method: string, params: Members): void;
  /** There is a new connection, which knows nothing of what the one before was told. */
  connected(): void;
}

export function createLink(options: LinkOptions): Link {
  const { serverName, log, listTimeoutMs } = options;
  const calls = createInFlightCalls();
  const lists = createKeptLists(listTimeoutMs);
  const addresses = new Map<string, ListAddress>();
  /** By address: the connection whose list passed its pins last. */
  const passed = new Map<string, Connection>();
  let tools: readonly unknown[] | undefined;
  const relisting = createPaced(async () => {
    const { connection } = supervisor;
    if (!connection) return;
    try {
      await readTools(connection);
    } catch (error) {
      log.warn('a changed list of tools could not be read', { server: serverName, err: error });
    }
  });

  const changes = new Map(
    LIST_CHANGES.map((method) => [method, createPaced(() => options.notified(method, {}))] as const),
  );

  const listener: ConnectionListener = {
    notification(method, params) {
      if (method === 'notifications/tools/list_changed') return relisting.ask();
      lists.changed(method);
      const change = changes.get(method);
      if (change) change.ask();
      else options.notified(method, params);
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
      if (state === 'ready') options.connected();
    },
  });

  async function readTools(from: Connection, signal?: AbortSignal): Promise<void> {
    const hasTools = from.server.capabilities.tools !== undefined;
    const read = hasTools
      ? await from.list('tools/list', 'tools', {
          signal: endsWithin(listTimeoutMs, signal),
        })
      : [];
    tools = read;
    await Promise.all([...addresses.values()].map((address) => pass(address, from, read)));
  }

  async function pass(address: ListAddress, connection: Connection, list: readonly unknown[]): Promise<void> {
    await options.check(address, list);
    passed.set(address.listKey, connection);
  }

  function asListFailure(error: unknown): unknown {
    const reason = isLate(error)
      ? `did not list its tools within ${listTimeoutMs} ms`
      : error instanceof ProtocolError && `refused tools/list: ${error.message}`;
    if (!reason) return error;
    return new ConnectionError(serverName, { reason }, { cause: error, isUnsent: true });
  }

  return {
    calls,
    lists,
    supervisor,
    get names() {
      return new Set([...addresses.values()].map(({ toolbox, server }) => `${toolbox}/${server}`));
    },
    get calling() {
      return calls.sessions();
    },
    get state() {
      return supervisor.state;
    },
    get pid() {
      return supervisor.connection?.pid;
    },
    get leftAlone() {
      return supervisor.leftAlone;
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
    get instructions() {
      return supervisor.connection?.server.instructions;
    },
    admitted(address) {
      const { connection } = supervisor;
      return connection !== undefined && passed.get(address.listKey) === connection ? connection : undefined;
    },
    async admit(address, connecting) {
      addresses.set(address.listKey, address);
      const connection = await connecting();
      // One that was dialled for this address has passed by now; another address's has not.
      if (passed.get(address.listKey) !== connection) await pass(address, connection, tools ?? []);
      return connection;
    },
  };
}
