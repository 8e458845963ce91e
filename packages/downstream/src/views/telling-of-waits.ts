import type { ToolboxCaller } from '@nexus/plugin-sdk';
import type { Leases } from '../leases/leases.ts';
import { downloader } from '../listing/open-ms.ts';
import type { OfferedServer } from '../server-address.ts';
import type { Session } from '../sessions/session.ts';

/** Before a call that is silent is told of as merely running. */
const TELL_MS = 4_000;

/** Says in the call's progress which servers it waits for, now and then while it does: a first start may download one. */
export async function tellingOfWaits<Result>(
  work: Promise<Result>,
  { progress }: Pick<ToolboxCaller, 'progress'>,
  waitedFor: () => readonly string[],
): Promise<Result> {
  const timer = setInterval(() => {
    const names = waitedFor();
    if (names.length > 0) progress(`waits for ${names.join('; ')}`);
  }, TELL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Those of the servers that are being started or reached, and what that may take so long for. */
export function startingOf(
  leases: Pick<Leases, 'find'>,
  session: Session,
  servers: readonly OfferedServer[],
): string[] {
  return servers
    .filter((server) => leases.find(server, session.id)?.state === 'connecting')
    .map(({ toolbox, server, settings }) => {
      const by = downloader(settings);
      return `${toolbox} / ${server}${by === undefined ? '' : `, which a first start by ${by} downloads where it is not in its cache`}`;
    });
}
