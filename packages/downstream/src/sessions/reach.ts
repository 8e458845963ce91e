import type { Registry } from '@nexus/core';
import { type ToolAddress, type ToolboxCaller, ToolError } from '@nexus/plugin-sdk';
import { findTool, missingTool, serverOf } from '../catalogue/find-offered.ts';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { Offer } from '../catalogue/offer.ts';
import type { OfferedTool } from '../catalogue/offered-tool.ts';
import type { Offers } from '../catalogue/offers.ts';
import type { Leases } from '../leases/leases.ts';
import { openServer } from '../leases/open-server.ts';
import type { Holdings } from './holdings.ts';
import { isSameTool, underItsNames } from './other-names.ts';
import type { Session } from './session.ts';

export interface Reaching {
  readonly offers: Offers;
  readonly lists: Pick<KnownLists, 'get' | 'load'>;
  readonly take: Leases['take'];
  readonly holdings: Holdings;
  readonly registry: Registry;
}

/**
 * Makes one tool callable for the session.
 * @returns the name it is registered by
 * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_CONFLICT for one that is held back; NEXUS_UNAVAILABLE
 */
export async function reachTool(
  reaching: Reaching,
  session: Session,
  { address, caller }: { readonly address: ToolAddress; readonly caller: ToolboxCaller },
): Promise<string> {
  const { offers, holdings, registry } = reaching;
  const offer = offers.of(address.toolbox, session.environment);
  const found = await findOrList(reaching, offer, { address, caller });
  const { name } = found.registered;
  const holding = session.holdings.get(offer.toolbox);
  if (holding?.state !== 'open' && !holding?.names.has(name)) {
    const names = new Set([...(holding?.names ?? []), name]);
    holdings.set(session, offer.toolbox, { state: 'reached', offer, names });
  }
  const registered = registry.get(name, session.scope);
  if (isSameTool(registered, found)) return name;
  const others = underItsNames(offer.toolbox, found);
  const other = others.find((each) => isSameTool(registry.get(each.name, session.scope), found));
  if (other) return other.name;
  const holder = registered ? `the session has one of ${registered.plugin} by that name` : 'it has no place';
  throw new ToolError('NEXUS_CONFLICT', `${name} can’t be called: ${holder}; rename one in the config.`);
}

/** From what is known of its server; where that has no such tool, from the server itself. */
async function findOrList(
  { lists, take }: Reaching,
  offer: Offer,
  { address, caller }: { readonly address: ToolAddress; readonly caller: ToolboxCaller },
): Promise<OfferedTool> {
  const server = serverOf(offer, address.server);
  if (!lists.get(server)) await lists.load([server]);
  const known = findTool(offer, address);
  if (known) return known;
  const { session, ask, signal } = caller;
  using lease = take(server, session.id);
  await openServer(lease, { sessionId: session.id, ask, signal });
  const found = findTool(offer, address);
  if (!found) throw missingTool(offer, address);
  return found;
}
