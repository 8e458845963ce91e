import type { Connection, RequestOptions } from '@nexus/client';
import type { Members } from '@nexus/core/json-rpc';
import { heldBackError } from '../definitions/held-back.ts';
import type { ListAddress, OfferedServer } from '../server-address.ts';
import type { Asking } from './in-flight.ts';
import type { ListName } from './kept-lists.ts';
import type { Callable, Lease } from './lease.ts';
import type { Link } from './link.ts';
import { saysWhoAsks } from './says-who-asks.ts';

export interface Holding {
  readonly server: OfferedServer;
  readonly sessionId: string;
  /** Whether the definition of a tool at this address is another than the pinned one. */
  isPending(address: ListAddress, tool: string): boolean;
  giveUp(reason?: string): void;
  dispose(): void;
}

export function leaseOn(link: Link, holding: Holding): Lease {
  return new ConnectionLease(link, holding);
}

/** A class for its price: each call takes a lease, and accessors of an object literal are made anew for each. */
class ConnectionLease implements Lease {
  readonly link: Link;
  readonly #holding: Holding;

  constructor(link: Link, holding: Holding) {
    this.link = link;
    this.#holding = holding;
  }

  get address() {
    return this.#holding.server;
  }
  get isConnected() {
    return this.#admitted() !== undefined;
  }
  get server() {
    return this.link.supervisor.connection?.server;
  }

  async open() {
    await this.link.admit(this.address, this.link.supervisor.open);
  }

  async connect() {
    if (!this.isConnected) await this.#connected();
  }

  async connectAgain() {
    if (!this.isConnected) await this.link.admit(this.address, this.link.supervisor.connectAgain);
  }

  async request(method: string, params: Members | undefined, options: RequestOptions) {
    const connection = this.#admitted() ?? (await this.#connected());
    return connection.request(method, params, options);
  }

  async notify(method: string, params?: Members) {
    await this.#admitted()?.notify(method, params);
  }

  call<T>(tool: string, work: (server: Callable) => Promise<T>): Promise<T> {
    const connection = this.#admitted();
    if (!connection) return this.#connected().then((admitted) => this.#callOn(admitted, tool, work));
    return this.#callOn(connection, tool, work);
  }

  list(what: ListName, how?: { readonly isFresh: boolean }) {
    return this.link.lists.read(this.#admitted(), what, how);
  }

  during<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
    const named: Asking = {
      ask: async (method, params) => asking.ask(method, saysWhoAsks(this.address, method, params)),
    };
    return this.link.calls.during({ sessionId: this.#holding.sessionId, asking: named }, work);
  }

  giveUp(reason?: string) {
    this.#holding.giveUp(reason);
  }

  [Symbol.dispose]() {
    this.#holding.dispose();
  }

  #admitted(): Connection | undefined {
    return this.link.admitted(this.address);
  }

  #connected(): Promise<Connection> {
    return this.link.admit(this.address, this.link.supervisor.connect);
  }

  #callOn<T>(connection: Connection, tool: string, work: (server: Callable) => Promise<T>): Promise<T> {
    // The tool may have been known from an earlier list, or from before it was held back.
    if (this.#holding.isPending(this.address, tool)) {
      const { toolbox, server } = this.address;
      return Promise.reject(heldBackError({ toolbox, server, tool }));
    }
    return this.link.supervisor.run(() => work(connection));
  }
}
