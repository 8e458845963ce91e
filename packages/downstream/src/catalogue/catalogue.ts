import type { CataloguedTool, ToolboxCaller, ToolCatalogue } from '@nexus/plugin-sdk';
import type { Offer } from '../offers/offer.ts';
import type { Session } from '../sessions/session.ts';
import { offerFor, type Workplace } from '../workplace.ts';
import type { UnknownServers } from './list-unknown.ts';
import type { OwnTools } from './own-tools.ts';

/** How long a search waits for servers that were never listed. */
const WAIT_MS = 10_000;

interface Parts {
  readonly place: Workplace;
  readonly unknown: UnknownServers;
  /** Where the catalogue has them. */
  readonly own: OwnTools | undefined;
}

/** Every tool of every toolbox, as a session can have them. */
export async function readCatalogue(
  { place, unknown, own }: Parts,
  session: Session,
  { signal }: Pick<ToolboxCaller, 'signal'>,
): Promise<ToolCatalogue> {
  const { offers, faulty } = readOffers(place, session);
  const servers = offers.flatMap((offer) => offer.servers);
  const isNew = (server: (typeof servers)[number]) => place.lists.get(server) === undefined;
  if (servers.some(isNew)) await place.lists.load(servers.filter(isNew));
  const never = servers.filter(isNew);
  const soon = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
  const unlisted = never.length === 0 ? [] : await unknown.list(session.id, never, soon);
  const tools = offers.flatMap((offer): CataloguedTool[] =>
    offer.tools().tools.map(({ catalogued }) => catalogued),
  );
  return {
    tools: own ? [...own.tools(), ...tools] : tools,
    unreachable: [...faulty, ...unlisted],
    version: [...(own ? [own.version()] : []), ...offers.map((offer) => offer.version())].join(' '),
  };
}

/** Lets a session's list of toolboxes say how many tools they have. */
export async function preloadLists(place: Workplace, session: Session): Promise<void> {
  if (session.hasEnded) return;
  const { offers } = readOffers(place, session);
  try {
    await place.lists.load(offers.flatMap((offer) => offer.servers));
  } catch (error) {
    place.log.warn('the tools that servers listed before could not be read', { err: error });
  }
}

/** A toolbox whose settings can't be expanded is unreachable, and the others are not. */
function readOffers(place: Workplace, session: Session) {
  const offers: Offer[] = [];
  const faulty: ToolCatalogue['unreachable'][number][] = [];
  for (const { name, servers } of place.source.toolboxes) {
    try {
      const offer = offerFor(place, session, name);
      offers.push(offer);
      faulty.push(...offer.settings.faults.map((fault) => ({ toolbox: name, ...fault })));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      faulty.push(...servers.map((server) => ({ toolbox: name, server, reason })));
    }
  }
  return { offers, faulty };
}
