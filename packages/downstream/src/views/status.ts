import type { ToolboxServer, ToolboxSummary } from '@nexus/plugin-sdk';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { Offer } from '../catalogue/offer.ts';
import type { Offers } from '../catalogue/offers.ts';
import { heldBackOf } from '../catalogue/servers-held-back.ts';
import type { DownstreamStatus, ToolboxOutline } from '../downstreams.ts';
import type { Leases } from '../leases/leases.ts';
import type { OfferedServer } from '../server-address.ts';
import type { Session, Sessions } from '../sessions/session.ts';

/** Every connection there is. */
export function connectionStatus(leases: Leases, sessions: Sessions): DownstreamStatus[] {
  return leases.all().map((link) => ({
    servers: [...link.names].sort(),
    state: link.state,
    pid: link.pid,
    sessions: sessions.users.of(link).size,
    tools: link.toolCount,
    restarts: link.restarts,
    isLeftAlone: link.leftAlone !== undefined,
    lastError: link.lastError,
  }));
}

export interface SummarySources {
  readonly offers: Offers;
  readonly leases: Leases;
  readonly lists: Pick<KnownLists, 'get'>;
}

/** Toolboxes of the config, as a session sees them. */
export function summarizeToolboxes(
  sources: SummarySources,
  session: Session,
  toolboxes: readonly string[],
): ToolboxSummary[] {
  const outlines = toolboxes.flatMap((name) => sources.offers.outline(name) ?? []);
  return outlines.map((outline) => ({
    name: outline.name,
    description: outline.description,
    isOpen: session.holdings.get(outline.name)?.state === 'open',
    servers: servers(sources, session, outline),
  }));
}

function servers(
  sources: SummarySources,
  session: Session,
  { name, servers }: ToolboxOutline,
): ToolboxServer[] {
  const offer = sources.offers.of(name, session.environment);
  // The first that is wrong with each.
  const faults = new Map(offer.settings.faults.toReversed().map((each) => [each.server, each]));
  const offers = new Map(offer.servers.map((each) => [each.server, each]));
  return servers.map((server): ToolboxServer => {
    const fault = faults.get(server);
    if (fault) return { name: server, state: 'failed', error: fault.reason };
    const offered = offers.get(server);
    const found: ToolboxServer = offered
      ? stateOf(sources, session, { server: offered, offer })
      : { name: server, state: 'idle' };
    const error = found.state === 'idle' ? sources.offers.lacks(name, server) : undefined;
    return error === undefined ? found : { ...found, state: 'failed', error };
  });
}

function stateOf(
  { leases, lists }: SummarySources,
  session: Session,
  { server, offer }: { readonly server: OfferedServer; readonly offer: Offer },
): ToolboxServer {
  const link = leases.find(server, session.id);
  const known = lists.get(server);
  const leftOut = known?.leftOut ?? 0;
  // As it is found and called here: without what filters and permissions leave out.
  const toolCount = known && offer.countOf(server.server);
  const failure = link ? undefined : leases.lastFailure(server, session.id);
  const found = link?.state ?? (failure === undefined ? 'idle' : 'failed');
  // One that is left alone is connected, and refuses each call all the same.
  const leftAlone = found === 'ready' ? link?.leftAlone : undefined;
  const state = leftAlone === undefined ? found : 'failed';
  const error =
    state === 'failed' || state === 'restarting'
      ? (leftAlone ?? link?.lastError ?? failure)
      : heldBackOf([server], lists)[0]?.reason;
  return {
    name: server.server,
    state,
    ...(toolCount === undefined ? {} : { toolCount }),
    ...(leftOut === 0 ? {} : { leftOut }),
    ...(error === undefined ? {} : { error }),
    ...(link?.instructions === undefined ? {} : { instructions: link.instructions }),
  };
}
