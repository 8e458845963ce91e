import type { Readable, Writable } from 'node:stream';
import type { Channel } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Log, SecretUsed } from '@nexus/plugin-sdk';
import type { Watchdog } from '@nexus/processes';
import type { ConnectionListener } from './connection.ts';

/** Opens a channel of JSON lines on a child's streams; `jsonLinesChannel` of the transports is one. */
export type OpenLines = (streams: {
  readonly kind: string;
  readonly readable: Readable;
  readonly writable: Writable;
  readonly log: Log;
  /** Told of each line that is no message, which is not answered, and of the request that it was to answer. */
  readonly faulty: (reason: string, answers?: string | number) => void;
}) => Channel;

/** Where a person can authorise now. */
export interface Interactive {
  /** Shows the page on which the person decides, as the server at an address named it. */
  openUrl(url: URL, server: string): Promise<void>;
  /** Asks for a yes or no to what a server wants that is not done unasked. */
  agree(question: string): Promise<boolean>;
}

/** What a session is opened with, whatever carries it. */
export interface SessionOptions {
  /** For messages and logs. */
  readonly serverName: string;
  readonly clientInfo: Members & { readonly name: string; readonly version: string };
  /** Declared to the server, and what the listener then answers. */
  readonly capabilities: Members;
  readonly listener: ConnectionListener;
  readonly log: Log;
  /** Ends the attempt; a connection that stands is ended by `close`. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole handshake, in milliseconds. Default 30 000. */
  readonly timeoutMs?: number | undefined;
}

export interface ConnectOptions extends Omit<SessionOptions, 'capabilities'> {
  /** By default sampling with tools, elicitation by form and URL, and roots. */
  readonly capabilities?: Members | undefined;
  /** Names of the variables that a stdio server gets beside its own and the few that are harmless. */
  readonly inherits?: readonly string[] | undefined;
  /** Where a stdio server starts if its settings name no folder. */
  readonly projectRoot: string;
  readonly openLines: OpenLines;
  readonly watchdog: Watchdog;
  /** Where the tokens of HTTP servers are kept, readable by this user alone. */
  readonly authFolder: string;
  /** Named in the advice where a person has to authorise. */
  readonly toolbox?: string | undefined;
  /** Hears of each secret of the settings before the server gets it. */
  readonly secretUsed?: SecretUsed | undefined;
  /** Present where a person can authorise in a browser now; the handshake waits for that. */
  readonly interactive?: Interactive | undefined;
}

/** All that a server may ask its client for. */
export const DEFAULT_CAPABILITIES: Members = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

export const DEFAULT_HANDSHAKE_MS = 30_000;

/** How long a person may take in the browser. */
export const AUTHORIZATION_TIMEOUT_MS = 300_000;
