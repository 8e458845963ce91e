import type { Members } from '@nexus/core/json-rpc';
import type { SessionScope } from '@nexus/plugin-sdk';
import type { Environment } from '../downstreams.ts';
import type { Lease } from '../leases/lease.ts';
import type { LinkStatus } from '../leases/link.ts';
import type { Holding } from './holding.ts';
import { createLinkUsers, type LinkUsers } from './link-users.ts';

export type NotificationListener = (method: string, params: Readonly<Record<string, unknown>>) => void;

/** What one session has of other servers, from its start to its end. */
export interface Session {
  readonly scope: SessionScope;
  readonly id: string;
  readonly environment: Environment;
  /** What it has, by the toolbox's name: a value, replaced by `Holdings` alone. */
  holdings: ReadonlyMap<string, Holding>;
  /** Its leases of open toolboxes by their connections: kept by `LinkUsers` alone. */
  readonly links: Map<LinkStatus, Set<Lease>>;
  readonly listeners: Set<NotificationListener>;
  ready: Promise<void> | undefined;
  /** Whether a client's connection began it, so that the next server opens again what it has. */
  readonly isClients: boolean;
  /** From which level up it wants log messages; undefined until it says. */
  logLevel: string | undefined;
}

export interface Sessions {
  get(scope: SessionScope): Session | undefined;
  /** One that nobody started is work without a client: that of the session whose it is, or this process's own. */
  of(scope: SessionScope): Session;
  start(scope: SessionScope, environment: Environment): Session;
  all(): Iterable<Session>;
  /** Who has which connection open. */
  readonly users: LinkUsers;
}

/** @param ended takes from a session, at the end of its scope, all that it has */
export function createSessions(ended: (session: Session) => Promise<void>): Sessions {
  const sessions = new Map<SessionScope, Session>();
  const begin = (scope: SessionScope, how: Pick<Session, 'environment' | 'isClients'>): Session => {
    const session: Session = {
      ...how,
      scope,
      id: scope.id,
      holdings: new Map(),
      links: new Map(),
      listeners: new Set(),
      ready: undefined,
      logLevel: undefined,
    };
    if (scope.hasEnded) return session;
    sessions.set(scope, session);
    scope.onEnd(() => {
      sessions.delete(scope);
      return ended(session);
    });
    return session;
  };
  const environmentOf = (scope: SessionScope | undefined): Environment =>
    scope ? (sessions.get(scope)?.environment ?? environmentOf(scope.outer)) : process.env;
  return {
    get: (scope) => sessions.get(scope),
    of: (scope) =>
      sessions.get(scope) ?? begin(scope, { environment: environmentOf(scope.outer), isClients: false }),
    start: (scope, environment) => begin(scope, { environment, isClients: true }),
    all: () => sessions.values(),
    users: createLinkUsers(),
  };
}

/** Passes a notification to the session’s client. */
export function tell(session: Session, method: string, params: Members): void {
  for (const listener of session.listeners) listener(method, params);
}
