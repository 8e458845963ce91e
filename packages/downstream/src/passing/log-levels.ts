import type { Connection } from '../connection/index.ts';
import type { Link } from '../pool/link.ts';
import type { Sessions } from '../sessions/session.ts';
import { hasOpen, offers } from './session-links.ts';

/** Of RFC 5424, from the least to the most severe. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Whether a session that wants messages from `wanted` up is told one of this level. */
export function isWanted(level: unknown, wanted: string | undefined): boolean {
  if (wanted === undefined || typeof level !== 'string' || !LEVELS.includes(level)) return true;
  return LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}

/** Tells servers the lowest level that any of their sessions wants. */
export function createLogLevels(sessions: Sessions) {
  const sent = new WeakMap<Connection, string>();
  return {
    apply(link: Link): void {
      const { connection } = link;
      if (!connection || !offers(connection, 'logging')) return;
      const wanted = [...sessions.all()]
        .filter((session) => hasOpen(session, link))
        .map(({ logLevel }) => logLevel);
      const level = LEVELS.find((each) => wanted.includes(each));
      if (level === undefined || sent.get(connection) === level) return;
      sent.set(connection, level);
      connection.request('logging/setLevel', { level }).catch(() => sent.delete(connection));
    },
  };
}
