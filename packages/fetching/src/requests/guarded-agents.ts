import { Agent } from 'undici';
import type { Destination, IsAllowed } from '../destinations/destination.ts';
import { guardedLookup, type Resolve } from '../destinations/guarded-lookup.ts';

const CONNECT_MS = 10_000;
const HEADERS_MS = 30_000;
const BODY_IDLE_MS = 20_000;

/** Connections for a destination; the port is part of what the config allows, and a dialler's lookup has only names. */
export interface GuardedAgents {
  for(destination: Destination): Agent;
  close(): Promise<void>;
}

export function guardedAgents(resolve: Resolve, isAllowed: IsAllowed): GuardedAgents {
  const agents = new Map<string, Agent>();
  const limits = { headersTimeout: HEADERS_MS, bodyTimeout: BODY_IDLE_MS, connections: 4, pipelining: 1 };
  return {
    for({ hostname, port }) {
      // One for all that need nothing allowed, and one for each destination that does.
      const isOpen = isAllowed({ hostname, port });
      const key = isOpen ? `${hostname}:${port}` : '';
      const found = agents.get(key);
      if (found) return found;
      const lookup = guardedLookup(resolve, isOpen);
      const agent = new Agent({ ...limits, connect: { lookup, timeout: CONNECT_MS } });
      agents.set(key, agent);
      return agent;
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}
