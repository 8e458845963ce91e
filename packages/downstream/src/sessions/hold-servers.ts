import { unavailable } from '../calls/call-errors.ts';
import type { OfferedServer } from '../offers/offered-server.ts';
import type { InFlight } from '../pool/in-flight.ts';
import type { Lease } from '../pool/pool.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Workplace } from '../workplace.ts';

/** Who waits for connections. */
export interface Waiting {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** Answers what a server asks its client meanwhile; absent where no client's call waits. */
  readonly ask?: InFlight['ask'];
}

/**
 * Connects to every one of the servers. If one fails, what was taken is given back: connections that
 * nobody else holds end.
 * @throws {ToolError} NEXUS_UNAVAILABLE naming the server that failed
 */
export async function holdServers(
  { pool }: Pick<Workplace, 'pool'>,
  servers: readonly OfferedServer[],
  waiting: Waiting,
): Promise<readonly Lease[]> {
  const leases = servers.map((server) => pool.lease(server, waiting.sessionId));
  try {
    const connected = servers.map((server, index) => openServer(server, leases[index], waiting));
    const outcomes = await Promise.allSettled(connected);
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return leases;
  } catch (error) {
    for (const lease of leases) lease.giveUp();
    throw error;
  }
}

/** Connects to one server, or finds it connected. */
export async function openServer(
  server: OfferedServer,
  lease: Lease | undefined,
  waiting: Waiting,
): Promise<void> {
  if (!lease) return;
  const { link } = lease;
  try {
    const { sessionId, signal, ask } = waiting;
    const opened = () => untilAborted(link.open(server), signal);
    await (ask ? link.calls.during({ sessionId, ask }, opened) : opened());
  } catch (error) {
    throw unavailable(server, error);
  }
}
