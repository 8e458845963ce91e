import { untilAborted } from '@nexus/primitives';
import { unavailable } from './connection-errors.ts';
import type { Asking } from './in-flight.ts';
import type { Lease } from './lease.ts';

/** Who waits for connections. */
export interface Waiting {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** Answers what a server asks its client meanwhile; absent where no client's call waits. */
  readonly ask?: Asking['ask'] | undefined;
}

/**
 * Connects to one server, or finds it connected.
 * @throws {ToolError} NEXUS_UNAVAILABLE; the signal's reason
 */
export async function openServer(lease: Lease, { signal, ask }: Waiting): Promise<void> {
  try {
    const opened = () => untilAborted(lease.open(), signal);
    await (ask ? lease.during({ ask }, opened) : opened());
  } catch (error) {
    throw unavailable(lease.address, error);
  }
}
