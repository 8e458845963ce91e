import type { Connection } from '../connection/index.ts';
import type { OfferedServer } from '../offers/offered-server.ts';
import type { Link } from '../pool/link.ts';
import type { Session } from '../sessions/session.ts';
import type { Workplace } from '../workplace.ts';

/** A connection that a session has open, under the first of its toolboxes that it is in. */
export interface SessionLink {
  readonly server: OfferedServer;
  readonly link: Link;
}

/** The connections of a session's open toolboxes, in the order of toolboxes' names and then of the config. */
export function sessionLinks(session: Session): SessionLink[] {
  const byLink = new Map<Link, SessionLink>();
  const toolboxes = [...session.open].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, { offer, leases }] of toolboxes) {
    for (const [index, server] of offer.servers.entries()) {
      const link = leases[index]?.link;
      if (link && !byLink.has(link)) byLink.set(link, { server, link });
    }
  }
  return [...byLink.values()];
}

/** The same, each connected again if it was lost and nothing stands against it. */
export async function connectedLinks(session: Session): Promise<SessionLink[]> {
  const links = sessionLinks(session);
  await Promise.all(links.map(({ server, link }) => link.connection ?? link.connect(server).catch(() => {})));
  return links;
}

export function hasOpen(session: Session, link: Link): boolean {
  for (const { leases } of session.open.values()) {
    if (leases.some((lease) => lease.link === link)) return true;
  }
  return false;
}

/** Sessions that what comes unasked on the connection concerns. */
export function* listeningSessions({ sessions }: Workplace, link: Link): Iterable<Session> {
  const calling = link.calls.sessions();
  for (const session of sessions.all()) {
    if (calling.has(session.id) || hasOpen(session, link)) yield session;
  }
}

export function offers(connection: Connection | undefined, capability: string): boolean {
  return connection?.server.capabilities[capability] !== undefined;
}
