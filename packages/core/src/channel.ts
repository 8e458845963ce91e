/** A JSON-RPC 2.0 message, checked to be one: a request, a notification or a response. */
export interface JsonRpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How a message leaves; a transport to which none of it matters ignores it. */
export interface SendOptions {
  /** The client's request that this message belongs to: its progress, or a question while it runs. */
  readonly relatedRequestId?: string | number | undefined;
  /** Handed to the system before `send` returns: the client has it, though this process dies by what it does next. */
  readonly isUrgent?: boolean | undefined;
}

/**
 * Whose word it is that comes by a channel: `user`'s, a process of the same user on this machine, which could do
 * itself what it asks for; or that of whoever reached a port, `network`, who gets what the project gives.
 */
export type Trust = 'user' | 'network';

/**
 * One client's way in, whatever carries it: messages in order, both ways. Transports make them, the
 * server runs one MCP session on each.
 */
export interface Channel {
  /** For logs: `stdio`, `ipc`, `http`, `memory`. */
  readonly kind: string;
  /** Stated once, by what lets the client in; everything later asks here. */
  readonly trust: Trust;
  /** Who it is, where an issuer said so; absent for whoever has the server's own user's rights. */
  readonly user?: string | undefined;
  /** False for a client that may look and not call: no tool is called for it. */
  readonly mayCall?: boolean | undefined;
  /** The W3C `traceparent` that carried a request which waits for its answer, where what carries it has one. */
  traceparentOf?(requestId: string | number): string | undefined;
  /** Starts delivery; messages that came earlier are delivered first. Called once. */
  start(handlers: { message(message: JsonRpcMessage): void; closed(): void }): void;
  /** Resolves when the bytes are handed on, which may wait for a slow reader. */
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>;
  close(): Promise<void>;
}
