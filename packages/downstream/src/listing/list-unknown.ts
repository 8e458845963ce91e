import type { ToolCatalogue } from '@nexus/plugin-sdk';
import { untilAborted } from '@nexus/primitives';
import pLimit from 'p-limit';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { Leases } from '../leases/leases.ts';
import { openServer } from '../leases/open-server.ts';
import type { OfferedServer } from '../server-address.ts';
import { openMs } from './open-ms.ts';

/** Servers asked at the same time, and how long each may take that is not downloaded first. */
const AT_ONCE = 4;
const LIST_MS = 10_000;
/** So long a server that could not be reached is not tried again for a search. */
const RETRY_AFTER_MS = 60_000;

type Unreachable = ToolCatalogue['unreachable'][number];

/** Lists servers whose tools were never seen, each once, whoever asks. */
export interface UnknownServers {
  /** @returns those whose tools are not known still, once all were tried or the signal fires */
  list(sessionId: string, servers: readonly OfferedServer[], signal: AbortSignal): Promise<Unreachable[]>;
}

export function createUnknownServers(take: Leases['take'], lists: Pick<KnownLists, 'get'>): UnknownServers {
  const running = new Map<string, Promise<void>>();
  const failures = new Map<string, { readonly reason: string; readonly at: number }>();
  const inTurn = pLimit(AT_ONCE);

  async function listOne(sessionId: string, server: OfferedServer, key: string): Promise<void> {
    const lease = take(server, sessionId);
    const listMs = openMs(server.settings, LIST_MS);
    const late = new Error(`did not list its tools within ${listMs} ms`);
    let failure: string | undefined;
    try {
      const timeout = AbortSignal.timeout(listMs);
      await openServer(lease, { sessionId, signal: timeout });
      failures.delete(key);
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === 'TimeoutError';
      const { message } = isLate || !(error instanceof Error) ? late : error;
      failure = message;
      failures.set(key, { reason: message, at: Date.now() });
    } finally {
      lease.giveUp(failure);
    }
  }

  function begin(sessionId: string, server: OfferedServer): Promise<void> {
    const key = keyOf(server);
    const failure = failures.get(key);
    if (failure && Date.now() - failure.at < RETRY_AFTER_MS) return Promise.resolve();
    let work = running.get(key);
    if (!work) {
      work = inTurn(() => listOne(sessionId, server, key)).finally(() => running.delete(key));
      running.set(key, work);
    }
    return work;
  }

  return {
    async list(sessionId, servers, signal) {
      const all = Promise.all(servers.map((server) => begin(sessionId, server)));
      await untilAborted(all, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      return servers
        .filter((server) => lists.get(server) === undefined)
        .map((server) => ({
          toolbox: server.toolbox,
          server: server.server,
          reason: failures.get(keyOf(server))?.reason ?? 'its tools are being listed still; search again',
        }));
    },
  };
}

function keyOf({ toolbox, server, settingsKey, connectionKey }: OfferedServer): string {
  return JSON.stringify([toolbox, server, settingsKey, connectionKey]);
}
