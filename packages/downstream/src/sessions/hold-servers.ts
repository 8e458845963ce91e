import { ToolError } from '@nexus/plugin-sdk';
import type { Lease } from '../leases/lease.ts';
import type { Leases } from '../leases/leases.ts';
import { openServer, type Waiting } from '../leases/open-server.ts';
import type { OfferedServer } from '../server-address.ts';
import type { ServerFault } from '../settings.ts';

/** What came of connecting to several servers. */
export interface HeldServers {
  readonly leases: readonly Lease[];
  /** The servers that could not be reached, each with why. */
  readonly faults: readonly ServerFault[];
}

/**
 * Connects to each of the servers; one that fails costs nobody but itself. If none could be reached, or this
 * was given up, nothing is held: connections that nobody else holds end.
 * @throws {ToolError} NEXUS_UNAVAILABLE where all failed
 */
export async function holdServers(
  take: Leases['take'],
  servers: readonly OfferedServer[],
  waiting: Waiting,
): Promise<HeldServers> {
  const taken = servers.map((server) => take(server, waiting.sessionId));
  const outcomes = await Promise.allSettled(taken.map((lease) => openServer(lease, waiting)));
  const leases: Lease[] = [];
  const failures: { server: string; error: unknown }[] = [];
  for (const [index, lease] of taken.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status !== 'rejected') leases.push(lease);
    else {
      const error: unknown = outcome.reason;
      lease.giveUp(isAbout(error) && !waiting.signal.aborted ? error.message : undefined);
      failures.push({ server: lease.address.server, error });
    }
  }
  const fatal = failures.find(({ error }) => !isAbout(error) || waiting.signal.aborted);
  const first = fatal ?? (leases.length === 0 ? failures[0] : undefined);
  if (first) {
    for (const lease of leases) lease.giveUp();
    throw first.error;
  }
  return {
    leases,
    faults: failures.map(({ server, error }) => ({ server, reason: (error as Error).message })),
  };
}

/** Whether it says that a server is not there, and not that Nexus itself failed. */
function isAbout(error: unknown): error is ToolError {
  return error instanceof ToolError;
}
