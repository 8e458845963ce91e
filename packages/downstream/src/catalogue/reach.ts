import { type ToolAddress, type ToolboxCaller, ToolError } from '@nexus/plugin-sdk';
import type { Offer } from '../offers/offer.ts';
import type { OfferedTool } from '../offers/offer-tools.ts';
import { openServer } from '../sessions/hold-servers.ts';
import { prefixedTool } from '../sessions/prefixed-tool.ts';
import { registerTools } from '../sessions/register-tools.ts';
import type { Session } from '../sessions/session.ts';
import { offerFor, type Workplace } from '../workplace.ts';
import { findTool, missingTool, serverOf } from './find-offered.ts';

/**
 * Makes one tool callable for the session.
 * @returns the name it is registered by
 * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_CONFLICT for one that is held back; NEXUS_UNAVAILABLE
 */
export async function reachTool(
  place: Workplace,
  session: Session,
  { address, caller }: { address: ToolAddress; caller: ToolboxCaller },
): Promise<string> {
  const offer = offerFor(place, session, address.toolbox);
  const found = await findOrList(place, offer, { address, caller });
  const { name } = found.registered;
  const isOpen = session.open.has(offer.toolbox);
  const reached = session.reached.get(offer.toolbox) ?? new Set();
  if (!isOpen && !reached.has(name)) {
    session.reached.set(offer.toolbox, reached.add(name));
    registerTools(place, session, offer);
  }
  const registered = place.registry.get(name, session.id);
  if (registered?.plugin === found.registered.plugin) return name;
  const other = prefixedTool(offer.toolbox, found);
  if (place.registry.get(other.name, session.id)?.plugin === other.plugin) return other.name;
  const holder = registered ? `the session has one of ${registered.plugin} by that name` : 'it has no place';
  throw new ToolError('NEXUS_CONFLICT', `${name} can’t be called: ${holder}; rename one in the config.`);
}

/** From what is known of its server; where that has no such tool, from the server itself. */
async function findOrList(
  place: Workplace,
  offer: Offer,
  { address, caller }: { address: ToolAddress; caller: ToolboxCaller },
): Promise<OfferedTool> {
  const server = serverOf(offer, address.server);
  if (!place.lists.get(server)) await place.lists.load([server]);
  const known = findTool(offer, address);
  if (known) return known;
  using lease = place.leases.take(server, caller.session.id);
  const { ask, signal } = caller;
  await openServer(lease, { sessionId: caller.session.id, ask, signal });
  const found = findTool(offer, address);
  if (!found) throw missingTool(offer, address);
  return found;
}
