import type { Members } from '@nexus/core/json-rpc';
import type { Environment } from '../downstreams.ts';
import type { Holding } from './holding.ts';

export type NotificationListener = (method: string, params: Readonly<Record<string, unknown>>) => void;

/** One session, from its start to its end. */
export interface Session {
  readonly id: string;
  readonly environment: Environment;
  /** What it has, by the toolbox's name: a value, replaced by `Holdings` alone. */
  held: ReadonlyMap<string, Holding>;
  readonly listeners: Set<NotificationListener>;
  ready: Promise<void> | undefined;
  hasEnded: boolean;
  /** From which level up it wants log messages; undefined until it says. */
  logLevel: string | undefined;
}

export interface Sessions {
  get(id: string): Session | undefined;
  /** One that nobody started is a call without a client, such as a job that runs again: this process's own. */
  of(id: string): Session;
  start(id: string, environment: Environment): Session;
  end(id: string): Session | undefined;
  all(): Iterable<Session>;
}

export function createSessions(): Sessions {
  const sessions = new Map<string, Session>();
  const start = (id: string, environment: Environment): Session => {
    const session: Session = {
      id,
      environment,
      held: new Map(),
      listeners: new Set(),
      ready: undefined,
      hasEnded: false,
      logLevel: undefined,
    };
    sessions.set(id, session);
    return session;
  };
  return {
    get: (id) => sessions.get(id),
    of: (id) => sessions.get(id) ?? start(id, process.env),
    start,
    end(id) {
      const session = sessions.get(id);
      sessions.delete(id);
      if (session) session.hasEnded = true;
      return session;
    },
    all: () => sessions.values(),
  };
}

/** Passes a notification to the session’s client. */
export function tell(session: Session, method: string, params: Members): void {
  for (const listener of session.listeners) listener(method, params);
}
