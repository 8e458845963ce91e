import type { SessionScope } from '@nexus/plugin-sdk';
import type { ClientRequests } from './call/client-requests.ts';
import type { Members } from './json-rpc/members.ts';
import type { ProgressReport } from './timeouts/progress.ts';
import type { TimedSignal } from './timeouts/timed-end.ts';

/** A request on its way to a server behind this one. */
export interface PassedRequest {
  readonly signal: TimedSignal;
  /** The caller's `_meta`, as sent. */
  readonly meta?: Members | undefined;
  readonly progress?: ((report: ProgressReport) => void) | undefined;
  readonly ask?: ClientRequests | undefined;
}

/** A server of which not all that it lists is offered. */
export interface LeftOut {
  readonly toolbox: string;
  readonly server: string;
  /** How many tools are left out. */
  readonly count: number;
  /** How many of how many, and where to learn why. */
  readonly reason: string;
}

/**
 * What the servers behind this one offer a session beside tools, which the registry has. Definitions and
 * results are as those servers sent them. A method that answers undefined is nobody's there.
 */
export interface Downstreams {
  /** Of which servers that the session has open its list does not have all tools. */
  leftOut(session: SessionScope): readonly LeftOut[];
  /** Resolves when what the session is to see from its start is there; undefined when it is. */
  ready(session: SessionScope): Promise<void> | undefined;
  resources(session: SessionScope): Promise<readonly Members[]>;
  resourceTemplates(session: SessionScope): Promise<readonly Members[]>;
  prompts(session: SessionScope): Promise<readonly Members[]>;
  /** The result of `resources/read`. @throws {ProtocolError} as the server answered */
  readResource(session: SessionScope, uri: string, request: PassedRequest): Promise<Members | undefined>;
  /** The result of `prompts/get`. @throws {ProtocolError} as the server answered */
  getPrompt(
    session: SessionScope,
    prompt: { readonly name: string; readonly arguments?: Members | undefined },
    request: PassedRequest,
  ): Promise<Members | undefined>;
  /** The result of `completion/complete`, whose params these are. @throws {ProtocolError} as the server answered */
  complete(session: SessionScope, params: Members, request: PassedRequest): Promise<Members | undefined>;
  /** @returns whether a server of the session took it */
  subscribe(session: SessionScope, uri: string): Promise<boolean>;
  unsubscribe(session: SessionScope, uri: string): Promise<void>;
  /** From which level up the session wants the servers' log messages. */
  setLogLevel(session: SessionScope, level: string): Promise<void>;
  /** Servers of the session are told that its client has other roots, which the client answers if it alone has them. */
  rootsChanged(session: SessionScope, ask: ClientRequests): void;
  /** Notifications for the session, as they come: log messages, updated resources, changed lists. */
  onNotification(session: SessionScope, listener: (method: string, params: Members) => void): () => void;
}
