import type { Lease } from '../leases/lease.ts';
import type { LinkStatus } from '../leases/link.ts';
import { leasesOf } from './holding.ts';
import type { Session, Sessions } from './session.ts';

/**
 * A session's leases of open toolboxes, one for each connection: under the first of the toolboxes that it is
 * in, in the order of toolboxes' names and then of the config.
 */
export function sessionLeases(session: Session): Lease[] {
  const byLink = new Map<LinkStatus, Lease>();
  const toolboxes = [...session.holdings].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, holding] of toolboxes) {
    for (const lease of leasesOf(holding)) if (!byLink.has(lease.link)) byLink.set(lease.link, lease);
  }
  return [...byLink.values()];
}

/** The same, each connected again if it was lost and nothing stands against it. */
export async function connectedLeases(session: Session): Promise<Lease[]> {
  const leases = sessionLeases(session);
  await Promise.all(leases.map((lease) => lease.isConnected || lease.connect().catch(() => {})));
  return leases;
}

export function hasOpen(session: Session, link: LinkStatus): boolean {
  return session.links.has(link);
}

/** Sessions that what comes unasked on the connection concerns. */
export function* listeningSessions(sessions: Sessions, link: LinkStatus): Iterable<Session> {
  const { calling } = link;
  for (const session of sessions.all()) {
    if (calling.has(session.id) || hasOpen(session, link)) yield session;
  }
}

/** Whether the server is there and declared the capability. */
export function offers({ server }: Lease, capability: string): boolean {
  return server?.capabilities[capability] !== undefined;
}
