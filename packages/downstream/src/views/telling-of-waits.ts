import type { ToolboxCaller } from '@nexus/plugin-sdk';
import type { Leases } from '../leases/leases.ts';
import { downloader } from '../listing/open-ms.ts';
import type { OfferedServer } from '../server-address.ts';
import type { Session } from '../sessions/session.ts';

/** A server that has not answered yet, and what a first start downloads it by. */
export interface Starting {
  readonly name: string;
  readonly downloadedBy: string | undefined;
}

/** Before a call that is silent is told of as merely running. */
const TELL_MS = 4_000;

/** Says in the call's progress which servers it waits for, now and then while it does: a first start may download one. */
export async function tellingOfWaits<Result>(
  work: Promise<Result>,
  { progress }: Pick<ToolboxCaller, 'progress'>,
  waitedFor: () => readonly Starting[],
): Promise<Result> {
  const timer = setInterval(() => {
    const starting = waitedFor();
    if (starting.length > 0)
      progress(`waits for ${starting.map(({ name }) => name).join(', ')}${why(starting)}`);
  }, TELL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

function why(starting: readonly Starting[]): string {
  const by = [...new Set(starting.flatMap(({ downloadedBy }) => downloadedBy ?? []))];
  return by.length === 0 ? '' : `: a first start by ${by.join(' or ')} downloads what is not in its cache`;
}

/** Those of the servers that are being started or reached, and what that may take so long for. */
export function startingOf(
  leases: Pick<Leases, 'find'>,
  session: Session,
  servers: readonly OfferedServer[],
): Starting[] {
  return servers
    .filter((server) => leases.find(server, session.id)?.state === 'connecting')
    .map(({ toolbox, server, settings }) => ({
      name: `${toolbox} / ${server}`,
      downloadedBy: downloader(settings),
    }));
}
