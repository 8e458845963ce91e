import type { Members } from '@nexus/core/json-rpc';
import type { LinkStatus } from '../leases/link.ts';
import { type Sessions, tell } from '../sessions/session.ts';
import { listeningSessions } from '../sessions/session-leases.ts';
import { isWanted } from './log-levels.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Passes what a server says unasked to the sessions that it concerns. */
export function passNotification(
  { sessions, subscriptions }: { sessions: Sessions; subscriptions: Subscriptions },
  link: LinkStatus,
  { method, params }: { method: string; params: Members },
): void {
  // Tasks here are made by this client, under ids that its callers do not know.
  if (method === 'notifications/tasks/status') return;
  for (const session of listeningSessions(sessions, link)) {
    if (method === 'notifications/message' && !isWanted(params.level, session.logLevel)) continue;
    if (method !== 'notifications/resources/updated') {
      tell(session, method, params);
      continue;
    }
    for (const uri of subscriptions.wanted(session, link, params.uri))
      tell(session, method, { ...params, uri });
  }
}
