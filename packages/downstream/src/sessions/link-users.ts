import type { Lease } from '../leases/lease.ts';
import type { LinkStatus } from '../leases/link.ts';
import type { Session } from './session.ts';

/** Which sessions have a connection open: kept as it changes, so that no change costs what all that is open does. */
export interface LinkUsers {
  of(link: LinkStatus): ReadonlySet<Session>;
  /**
   * The session has these leases, whether it had them before or not, and those no more.
   * @returns the connections that are new to it, or gone from it
   */
  change(session: Session, leases: { taken: readonly Lease[]; gone: readonly Lease[] }): LinkStatus[];
}

export function createLinkUsers(): LinkUsers {
  const users = new WeakMap<LinkStatus, Set<Session>>();
  const nobody: ReadonlySet<Session> = new Set();

  function add(session: Session, lease: Lease): void {
    const { link } = lease;
    const leases = session.links.get(link) ?? new Set();
    session.links.set(link, leases.add(lease));
    users.set(link, (users.get(link) ?? new Set()).add(session));
  }

  function remove(session: Session, lease: Lease): void {
    const { link } = lease;
    const leases = session.links.get(link);
    leases?.delete(lease);
    if (leases?.size !== 0) return;
    session.links.delete(link);
    users.get(link)?.delete(session);
  }

  return {
    of: (link) => users.get(link) ?? nobody,
    change(session, { taken, gone }) {
      const links = new Set([...taken, ...gone].map(({ link }) => link));
      const before = new Set([...links].filter((link) => session.links.has(link)));
      for (const lease of taken) add(session, lease);
      for (const lease of gone) remove(session, lease);
      return [...links].filter((link) => before.has(link) !== session.links.has(link));
    },
  };
}
