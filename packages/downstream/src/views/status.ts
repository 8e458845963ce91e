import type { ToolboxServer, ToolboxSummary } from '@nexus/plugin-sdk';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { Offer } from '../catalogue/offer.ts';
import type { Offers } from '../catalogue/offers.ts';
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

/** Every toolbox of the config, as a session sees it. */
export function summarizeToolboxes(sources: SummarySources, session: Session): ToolboxSummary[] {
  const { source } = sources.offers;
  const outlines = [...source.toolboxes].sort((a, b) => (a.name < b.name ? -1 : 1));
  const lacks = new Map(source.lacking?.map((each) => [keyOf(each.toolbox, each.server), each.reason]));
  return outlines.map((outline) => ({
    name: outline.name,
    description: outline.description,
    isOpen: session.holdings.get(outline.name)?.state === 'open',
    servers: servers({ ...sources, lacks }, session, outline),
  }));
}

function keyOf(toolbox: string, server: string): string {
  return JSON.stringify([toolbox, server]);
}

function servers(
  sources: SummarySources & { readonly lacks: ReadonlyMap<string, string> },
  session: Session,
  { name, servers }: ToolboxOutline,
): ToolboxServer[] {
  const offer = sources.offers.of(name, session.environment);
  return servers.map((server): ToolboxServer => {
    const fault = offer.settings.faults.find((each) => each.server === server);
    if (fault) return { name: server, state: 'failed', error: fault.reason };
    const offered = offer.servers.find((each) => each.server === server);
    const found: ToolboxServer = offered
      ? stateOf(sources, session, { server: offered, offer })
      : { name: server, state: 'idle' };
    const error = sources.lacks.get(keyOf(name, server));
    return found.state === 'idle' && error !== undefined ? { ...found, state: 'failed', error } : found;
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
  const toolCount = known && offer.inSight().filter((tool) => tool.server === server.server).length;
  const failure = link ? undefined : leases.lastFailure(server, session.id);
  const found = link?.state ?? (failure === undefined ? 'idle' : 'failed');
  // One that is left alone is connected, and refuses each call all the same.
  const leftAlone = found === 'ready' ? link?.leftAlone : undefined;
  const state = leftAlone === undefined ? found : 'failed';
  const error =
    state === 'failed' || state === 'restarting' ? (leftAlone ?? link?.lastError ?? failure) : undefined;
  return {
    name: server.server,
    state,
    ...(toolCount === undefined ? {} : { toolCount }),
    ...(leftOut === 0 ? {} : { leftOut }),
    ...(error === undefined ? {} : { error }),
    ...(link?.instructions === undefined ? {} : { instructions: link.instructions }),
  };
}
