import type { LeftOut } from '@nexus/core';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { OfferedServer } from '../server-address.ts';
import { openOf } from '../sessions/holding.ts';
import type { Session } from '../sessions/session.ts';

type Lists = Pick<KnownLists, 'get'>;

/** Servers of which not all that they list is offered. */
export function leftOutOf(servers: readonly OfferedServer[], lists: Lists): LeftOut[] {
  return servers.flatMap((address) => {
    const { leftOut = 0, tools } = lists.get(address) ?? {};
    if (leftOut === 0 || !tools) return [];
    const { toolbox, server } = address;
    const listed = tools.length + leftOut;
    const reason = `${leftOut} of the ${listed} tools that it lists are left out; open_toolbox says why`;
    return [{ toolbox, server, count: leftOut, reason }];
  });
}

/** The same of all that a session has open. */
export function leftOutOfOpen(session: Session, lists: Lists): LeftOut[] {
  return [...session.holdings.values()].flatMap((holding) =>
    leftOutOf(openOf(holding)?.offer.servers ?? [], lists),
  );
}
