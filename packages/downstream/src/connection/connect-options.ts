import type { Readable, Writable } from 'node:stream';
import type { Channel } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import type { Interactive } from '../auth/authority.ts';
import type { Watchdog } from '../process/watchdog.ts';
import type { ConnectionListener } from './connection.ts';

type Members = Readonly<Record<string, unknown>>;

/** Opens a channel of JSON lines on a child's streams; `jsonLinesChannel` of the transports is one. */
export type OpenLines = (streams: {
  readonly kind: string;
  readonly readable: Readable;
  readonly writable: Writable;
  readonly log: Log;
  /** Told of each line that is no message, which is not answered, and of the request that it was to answer. */
  readonly faulty: (reason: string, answers?: string | number) => void;
}) => Channel;

export interface ConnectOptions {
  /** For messages and logs. */
  readonly serverName: string;
  readonly clientInfo: Members & { readonly name: string; readonly version: string };
  /** Declared to the server. By default sampling with tools, elicitation by form and URL, and roots. */
  readonly capabilities?: Members | undefined;
  readonly listener: ConnectionListener;
  readonly log: Log;
  /** Ends the attempt; a connection that stands is ended by `close`. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole handshake, in milliseconds. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Where a stdio server starts if its settings name no folder. */
  readonly projectRoot: string;
  readonly openLines: OpenLines;
  readonly watchdog: Watchdog;
  /** Where the tokens of HTTP servers are kept, readable by this user alone. */
  readonly authFolder: string;
  /** Named in the advice where a person has to authorise. */
  readonly toolbox?: string | undefined;
  /** Present where a person can authorise in a browser now; the handshake waits for that. */
  readonly interactive?: Interactive | undefined;
}

export const DEFAULT_CAPABILITIES: Members = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
};

export const DEFAULT_HANDSHAKE_MS = 30_000;

/** How long a person may take in the browser. */
export const AUTHORIZATION_TIMEOUT_MS = 300_000;
