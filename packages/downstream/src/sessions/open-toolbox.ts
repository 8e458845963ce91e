import { type OpenedToolbox, ToolError } from '@nexus/plugin-sdk';
import type { Offer } from '../offers/offer.ts';
import type { ServerFault } from '../settings.ts';
import type { Workplace } from '../workplace.ts';
import { holdServers, type Waiting } from './hold-servers.ts';
import { registerTools, unregisterTools } from './register-tools.ts';
import type { Session } from './session.ts';
import { shareWait } from './shared-wait.ts';

/**
 * Opens a toolbox for a session; several at once do it once.
 * @throws {ToolError} NEXUS_UNAVAILABLE where none of its servers could be reached
 */
export async function openToolbox(
  place: Workplace,
  session: Session,
  { offer, waiting }: { offer: Offer; waiting: Waiting },
): Promise<OpenedToolbox> {
  const { toolbox } = offer;
  const running = session.opening.get(toolbox);
  if (running) return { ...(await running.join(waiting)), wasOpen: true };
  const opening = shareWait(
    session.id,
    (shared) => open(place, session, { offer, waiting: shared }),
    waiting,
  );
  session.opening.set(toolbox, opening);
  void opening.settled.then(() => session.opening.delete(toolbox));
  return opening.join(waiting);
}

async function open(
  place: Workplace,
  session: Session,
  { offer, waiting }: { offer: Offer; waiting: Waiting },
): Promise<OpenedToolbox> {
  const { toolbox, servers, settings } = offer;
  if (servers.length === 0 && settings.faults.length > 0) throw noneUsable(toolbox, settings.faults);
  const before = session.open.get(toolbox);
  // Also of one that is open: a server of it may have ended since.
  const { leases, faults: unreached } = await holdServers(place, servers, waiting);
  try {
    if (!before && !session.hasEnded) await place.openToolboxes.add(session.id, toolbox);
    waiting.signal.throwIfAborted();
    if (session.hasEnded) throw new Error(`session ${session.id} ended while toolbox ${toolbox} was opened`);
  } catch (error) {
    for (const lease of leases) lease.giveUp();
    throw error;
  }
  session.open.set(toolbox, { offer, leases });
  for (const lease of before?.leases ?? []) lease[Symbol.dispose]();
  const taken = registerTools(place, session, offer);
  const { tools, faults } = offer.tools();
  const left = [...settings.faults, ...unreached];
  for (const { server, reason } of left)
    place.log.warn('a server of a toolbox is left out', { toolbox, server, reason });
  return {
    toolbox,
    tools: tools.map(({ catalogued }) => catalogued),
    isListed: place.source.toolMode === 'dynamic',
    wasOpen: before !== undefined,
    instructions: leases.flatMap(({ address, link: { instructions } }) =>
      instructions === undefined ? [] : [{ server: address.server, text: instructions }],
    ),
    faults: [...left, ...faults, ...taken],
  };
}

/** @returns the error of a toolbox none of whose servers can be used */
function noneUsable(toolbox: string, faults: readonly ServerFault[]): ToolError {
  const lines = faults.map(({ server, reason }) => `${server}: ${reason}`);
  return new ToolError('NEXUS_CONFIG', `Toolbox "${toolbox}": ${lines.join('\n')}`, {
    detail: { toolbox, faults },
  });
}

/** @returns how many tools went */
export function closeToolbox(place: Workplace, session: Session, toolbox: string): number {
  const open = session.open.get(toolbox);
  session.reached.delete(toolbox);
  session.open.delete(toolbox);
  unregisterTools(place, session, toolbox);
  if (!open) return 0;
  for (const lease of open.leases) lease[Symbol.dispose]();
  return open.offer.tools().tools.length;
}
