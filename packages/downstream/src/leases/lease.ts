import type { Connection, RequestOptions, ServerIdentity } from '@nexus/client';
import type { Members } from '@nexus/core/json-rpc';
import type { ListAddress } from '../server-address.ts';
import type { Asking } from './in-flight.ts';
import type { ListName } from './kept-lists.ts';
import type { LinkStatus } from './link.ts';

/** What a call is made with: a connection that has passed the pins of the lease's address. */
export type Callable = Pick<Connection, 'request'>;

/**
 * One session's right to a server, at one address of the config: the only way to a connection. Nothing
 * passes before the server's list of tools was held to the pins of that very address, however many other
 * addresses the connection has served already.
 */
export interface Lease extends Disposable {
  readonly address: ListAddress;
  readonly link: LinkStatus;
  /** Whether a call would pass at once. */
  readonly isConnected: boolean;
  /** What the server said of itself; undefined while there is no connection. */
  readonly server: ServerIdentity | undefined;
  /**
   * For a toolbox that is opened: connects whatever was before.
   * @throws {ConnectionError}
   */
  open(): Promise<void>;
  /**
   * For what follows: connects where nothing stands against it.
   * @throws {ConnectionError} at once while a restart waits, and after the server was given up
   */
  connect(): Promise<void>;
  /**
   * For what is done again since the connection was lost in its middle: connects at once, also while a restart waits.
   * @throws {ConnectionError} after the server was given up
   */
  connectAgain(): Promise<void>;
  /** @throws {ConnectionError}; {ProtocolError} the server's own */
  request(method: string, params: Members | undefined, options: RequestOptions): Promise<Members>;
  /** Tells the server, if there is a connection. */
  notify(method: string, params?: Members): Promise<void>;
  /**
   * Calls a tool, unless the server has answered no call lately.
   * @throws {ToolError} NEXUS_CONFLICT for one whose definition is not the pinned one
   * @throws {ConnectionError}; what `work` throws
   */
  call<T>(tool: string, work: (server: Callable) => Promise<T>): Promise<T>;
  /** A list other than of tools, kept until the server says that it changed; empty without a connection. */
  list(what: ListName, how?: { readonly isFresh: boolean }): Promise<readonly Members[]>;
  /** What the server asks its client meanwhile is this session's to answer. */
  during<T>(asking: Asking, work: () => Promise<T>): Promise<T>;
  /**
   * Ends the connection at once if nobody else holds it.
   * @param reason why there came none, for who asks about the server later
   */
  giveUp(reason?: string): void;
}
