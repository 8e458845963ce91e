import type { LeftOut } from '@nexus/core';
import { counted, OWN_SENTENCES } from '@nexus/primitives';
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
    const reason = OWN_SENTENCES.toolsLeftOut(
      `${leftOut} of the ${counted(listed, 'tool')} that it lists ${leftOut === 1 ? 'is' : 'are'}`,
    );
    return [{ toolbox, server, count: leftOut, reason }];
  });
}

/** What is left out of all that a session has open. */
export function leftOutOfOpen(session: Session, lists: Lists): LeftOut[] {
  return [...session.holdings.values()].flatMap((holding) =>
    leftOutOf(openOf(holding)?.offer.servers ?? [], lists),
  );
}
