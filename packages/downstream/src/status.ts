import type { ToolboxServer, ToolboxSummary } from '@nexus/plugin-sdk';
import type { DownstreamStatus, ToolboxOutline } from './downstreams.ts';
import { hasOpen } from './passing/session-leases.ts';
import type { OfferedServer } from './server-address.ts';
import type { Session } from './sessions/session.ts';
import { offerFor, type Workplace } from './workplace.ts';

/** Every connection there is. */
export function connectionStatus({ leases, sessions }: Workplace): DownstreamStatus[] {
  return leases.all().map((link) => ({
    servers: [...link.names].sort(),
    state: link.state,
    pid: link.pid,
    sessions: [...sessions.all()].filter((session) => hasOpen(session, link)).length,
    tools: link.toolCount,
    restarts: link.restarts,
    lastError: link.lastError,
  }));
}

/** Every toolbox of the config, as a session sees it. */
export function summarizeToolboxes(place: Workplace, session: Session): ToolboxSummary[] {
  const outlines = [...place.source.toolboxes].sort((a, b) => (a.name < b.name ? -1 : 1));
  return outlines.map((outline) => ({
    name: outline.name,
    description: outline.description,
    isOpen: session.open.has(outline.name),
    servers: servers(place, session, outline),
  }));
}

function servers(place: Workplace, session: Session, { name, servers }: ToolboxOutline): ToolboxServer[] {
  const offer = offerFor(place, session, name);
  return servers.map((server): ToolboxServer => {
    const fault = offer.settings.faults.find((each) => each.server === server);
    if (fault) return { name: server, state: 'failed', error: fault.reason };
    const offered = offer.servers.find((each) => each.server === server);
    const found: ToolboxServer = offered ? stateOf(place, session, offered) : { name: server, state: 'idle' };
    const lack = place.source.lacking?.find((each) => each.toolbox === name && each.server === server);
    return found.state === 'idle' && lack ? { ...found, state: 'failed', error: lack.reason } : found;
  });
}

function stateOf(place: Workplace, session: Session, server: OfferedServer): ToolboxServer {
  const link = place.leases.find(server, session.id);
  const toolCount = place.lists.get(server)?.definitions.length;
  const state = link?.state ?? 'idle';
  const isFaulty = state === 'failed' || state === 'restarting';
  return {
    name: server.server,
    state,
    ...(toolCount === undefined ? {} : { toolCount }),
    ...(isFaulty && link?.lastError !== undefined ? { error: link.lastError } : {}),
    ...(link?.instructions === undefined ? {} : { instructions: link.instructions }),
  };
}
