import type { TimedEnd } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';

/** What a server said of itself at initialize. */
export interface ServerIdentity {
  readonly protocolVersion: string;
  readonly serverInfo: Members;
  readonly capabilities: Members;
  /** Their beginning, where they are very long, and how many characters the server sent. */
  readonly instructions?: { readonly text: string; readonly chars: number } | undefined;
}

export interface RequestOptions {
  /** Cancels, at the latest when its time is over: the server is told, and the promise rejects with the signal's reason. */
  readonly signal: TimedEnd;
  /** Takes the params of each `notifications/progress` for this request, its own token left out. */
  readonly onProgress?: ((params: Members) => void) | undefined;
  /** Takes the JSON-RPC id that the request has, before it leaves. */
  readonly onId?: ((id: string | number) => void) | undefined;
}

/** How a connection ended. */
export interface Ending {
  /** One sentence: what happened. */
  readonly reason: string;
  readonly exitCode?: number | undefined;
  readonly signalName?: string | undefined;
  /** The last lines the process wrote to stderr, secrets masked. */
  readonly stderrTail?: string | undefined;
}

/** A live MCP session with one server, messages as they are: nothing parsed that need not be. */
export interface Connection {
  readonly server: ServerIdentity;
  /** Of a stdio server's process. */
  readonly pid: number | undefined;
  /**
   * @throws {ProtocolError} the server's JSON-RPC error, as it is
   * @throws {ConnectionError} the connection ended first
   */
  request(method: string, params: Members | undefined, options: RequestOptions): Promise<Members>;
  notify(method: string, params?: Members): Promise<void>;
  /**
   * Every page of a list: `list('tools/list', 'tools')`. Items are as served, keys and order kept. A
   * server that repeats a cursor is stopped at.
   */
  list(method: string, key: string, options: RequestOptions): Promise<readonly unknown[]>;
  readonly closed: Promise<Ending>;
  /** Ends the process tree, or the HTTP session. */
  close(): Promise<void>;
}

/** What a connection tells its holder of, unasked. */
export interface ConnectionListener {
  notification(method: string, params: Members): void;
  /** A request of the server to its client; what is thrown as ProtocolError leaves as it is. */
  request(method: string, params: Members, options: { readonly signal: AbortSignal }): Promise<Members>;
}
