import type { Channel } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import type { BearerTokens } from './auth/authenticate.ts';
import type { JwtOptions } from './auth/jwt.ts';

/** What the app decides of the HTTP way in. */
export interface HttpOptions {
  /** An address of this machine; beyond loopback only with `auth`. */
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** How clients reach this server where that is not its address, such as `https://nexus.example.com`. */
  readonly publicUrl?: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** PEM. */
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer } | undefined;
  /** Absent: anybody on this machine may call. */
  readonly auth?: (BearerTokens & { readonly jwt?: JwtOptions | undefined }) | undefined;
  readonly limits: HttpLimits;
  readonly log: Log;
  /** Runs an MCP session on the channel of a new client. */
  accept(channel: Channel): void;
  /** The text of /metrics. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface HttpLimits {
  readonly maxBodyBytes: number;
  readonly maxSessions: number;
  /** Requests of one session that wait for their answer. */
  readonly maxInFlight: number;
  readonly sessionIdleMs: number;
  /** Events kept per session for those who reconnect. */
  readonly replayBytes: number;
  /** Unread by the client, per stream. */
  readonly maxQueuedBytes: number;
  readonly keepAliveMs: number;
  /** How long a client may take to send a request's head. */
  readonly headersTimeoutMs: number;
  /** How long it may take to send all of it. */
  readonly requestTimeoutMs: number;
  /** After this long a client has to take up a stream anew; by default never. */
  readonly maxStreamMs?: number | undefined;
  /** A request that takes longer is answered by a stream. */
  readonly streamAfterMs: number;
  /** How long a client may take nothing of an answer that is ready. */
  readonly stallMs: number;
}
