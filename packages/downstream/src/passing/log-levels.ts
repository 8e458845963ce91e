import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { LinkStatus } from '../leases/link.ts';
import type { Session, Sessions } from '../sessions/session.ts';
import { offers } from '../sessions/session-leases.ts';

/** Of RFC 5424, from the least to the most severe. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Whether a session that wants messages from `wanted` up is told one of this level. */
export function isWanted(level: unknown, wanted: string | undefined): boolean {
  if (wanted === undefined || typeof level !== 'string' || !LEVELS.includes(level)) return true;
  return LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}

/** What is taken to be wanted where nobody says any more. */
const UNSAID = 'info';

/** Tells servers the lowest level that any of their sessions wants. */
export interface LogLevels {
  /** The session's level is another now. */
  apply(session: Session): void;
  /** Another session has this connection, or one has it no more, or the connection is another. */
  settle(link: LinkStatus): void;
}

export function createLogLevels(sessions: Sessions): LogLevels {
  /** By the connection's identity: a new one has been told nothing. */
  const sent = new WeakMap<object, string>();

  function settle(link: LinkStatus): void {
    const users = [...sessions.users.of(link)];
    const [lease] = users[0]?.links.get(link) ?? [];
    if (!lease?.server || !offers(lease, 'logging')) return;
    const { server } = lease;
    const before = sent.get(server);
    const level = LEVELS.find((each) => users.some(({ logLevel }) => logLevel === each));
    // A server is left as it is until somebody has said, and set back when those who did are gone.
    if (before === level || (level ?? before) === undefined) return;
    sent.set(server, level ?? UNSAID);
    lease
      .request('logging/setLevel', { level: level ?? UNSAID }, { signal: endsWithin(ANSWER_MS) })
      .catch(() => sent.delete(server));
  }

  return {
    apply(session) {
      for (const link of session.links.keys()) settle(link);
    },
    settle,
  };
}
