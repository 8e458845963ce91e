import type { ClientRequests } from '@nexus/core';
import { type Log, ToolError } from '@nexus/plugin-sdk';
import type { Lease } from '../leases/lease.ts';
import type { Session, Sessions } from '../sessions/session.ts';
import { sessionLeases } from '../sessions/session-leases.ts';

/** How long a server that is told of new roots may take to ask for them. */
const ASKED_WITHIN_MS = 5_000;

/**
 * Tells the servers of a session that its client has other roots. A server that asks for them then is answered
 * by that client, where no other session has the connection: there, nobody knows whose roots are meant.
 */
export function tellRootsChanged(
  session: Session,
  ask: ClientRequests,
  { sessions, log }: { readonly sessions: Sessions; readonly log: Log },
): void {
  for (const lease of sessionLeases(session)) {
    const users = [...sessions.users.of(lease.link)];
    const told = users.length === 1 ? tellAndAnswer(lease, ask) : tell(lease);
    told.catch((error: unknown) => {
      const { toolbox, server } = lease.address;
      log.debug('a server was not told of changed roots', { toolbox, server, err: error });
    });
  }
}

function tell(lease: Lease): Promise<void> {
  return lease.notify('notifications/roots/list_changed');
}

async function tellAndAnswer(lease: Lease, ask: ClientRequests): Promise<void> {
  const late = AbortSignal.timeout(ASKED_WITHIN_MS);
  let answered = () => {};
  const over = new Promise<void>((resolve) => {
    answered = resolve;
    late.addEventListener('abort', () => resolve(), { once: true });
  });
  const answer = async (method: string, params: Readonly<Record<string, unknown>>) => {
    if (method !== 'roots/list') {
      throw new ToolError('NEXUS_UNAVAILABLE', `No call is in flight that ${method} could belong to.`);
    }
    return ask.pass(method, params, late).finally(answered);
  };
  await lease.during({ ask: answer }, async () => {
    await tell(lease);
    await over;
  });
}
