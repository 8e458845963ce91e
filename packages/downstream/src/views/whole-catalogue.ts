import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CataloguedTool, Log, ToolCatalogue } from '@nexus/plugin-sdk';
import { joinSignals, stableHash } from '@nexus/primitives';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { Offer } from '../catalogue/offer.ts';
import type { Offers } from '../catalogue/offers.ts';
import { heldBackOf } from '../catalogue/servers-held-back.ts';
import type { UnknownServers } from '../listing/list-unknown.ts';
import { downloader } from '../listing/open-ms.ts';
import type { Session } from '../sessions/session.ts';
import { leftOutOf } from './left-out.ts';
import type { OwnTools } from './own-tools.ts';

/** How long a search waits for servers that were never listed. */
const WAIT_MS = 10_000;
/** The same where one may be downloaded first; it goes on after that, and the next search has it. */
const DOWNLOAD_WAIT_MS = 45_000;
/** How long others wait at most while the tools of many toolboxes are made. */
const TURN_MS = 10;

export interface Sources {
  readonly offers: Offers;
  readonly lists: Pick<KnownLists, 'get' | 'load'>;
  readonly unknown: UnknownServers;
  /** Where the catalogue has them. */
  readonly own: OwnTools | undefined;
}

/** Every tool of every toolbox, as a session can have them. */
export async function wholeCatalogue(
  { offers: configured, lists, unknown, own }: Sources,
  session: Session,
  signal: AbortSignal,
): Promise<ToolCatalogue> {
  await configured.prepare(session.environment);
  const { offers, faulty } = configured.all(session.environment);
  const servers = offers.flatMap((offer) => offer.servers);
  const isNew = (server: (typeof servers)[number]) => lists.get(server) === undefined;
  if (servers.some(isNew)) await lists.load(servers.filter(isNew));
  const never = servers.filter(isNew);
  const isDownloaded = never.some(({ settings }) => downloader(settings) !== undefined);
  using soon = joinSignals(signal, AbortSignal.timeout(isDownloaded ? DOWNLOAD_WAIT_MS : WAIT_MS));
  const unlisted = never.length === 0 ? [] : await unknown.list(session.id, never, soon);
  const partial = leftOutOf(servers, lists).map(({ count: _count, ...where }) => where);
  const held = heldBackOf(servers, lists);
  const tools: CataloguedTool[] = own ? [...own.tools()] : [];
  const versions = own ? [own.version()] : [];
  let from = performance.now();
  for (const offer of offers) {
    for (const tool of offer.inSight()) tools.push(tool);
    // Of the tools just taken: a server may list others between two turns.
    versions.push(offer.version());
    if (performance.now() - from < TURN_MS) continue;
    await nextTurn();
    from = performance.now();
  }
  return {
    tools,
    unreachable: [...faulty, ...unlisted, ...partial, ...held],
    heldBack: offers.flatMap(heldOf),
    version: stableHash(versions),
  };
}

/** Of each of its servers that has any. */
function heldOf({ toolbox, servers, tools }: Offer): NonNullable<ToolCatalogue['heldBack']> {
  const { held } = tools();
  return servers.flatMap(({ server }) => {
    const own = held.filter((each) => each.server === server);
    return own.length === 0 ? [] : [{ toolbox, server, tools: own }];
  });
}

/** Lets a session's list of these toolboxes, or of all, say how many tools they have. */
export async function preloadLists(
  { offers, lists, log }: Pick<Sources, 'offers' | 'lists'> & { readonly log: Log },
  session: Session,
  toolboxes?: readonly string[],
): Promise<void> {
  if (session.scope.hasEnded) return;
  try {
    const prepared = await offers.prepare(session.environment, toolboxes);
    if (session.scope.hasEnded) return;
    await lists.load(prepared.flatMap(({ servers }) => servers));
  } catch (error) {
    log.warn('the tools that servers listed before could not be read', { err: error });
  }
}
