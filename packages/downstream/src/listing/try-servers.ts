import pLimit from 'p-limit';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { Offers } from '../catalogue/offers.ts';
import { heldBackOf } from '../catalogue/servers-held-back.ts';
import type { ServerTrial, TrialOptions } from '../downstreams.ts';
import type { Leases } from '../leases/leases.ts';
import type { OfferedServer } from '../server-address.ts';
import type { ServerFault } from '../settings.ts';
import { downloader } from './open-ms.ts';

const AT_ONCE = 4;

/** Connects to each server for itself, whoever else is connected to it; what it lists is kept as any list is. */
export async function tryServers(
  apart: Leases['apart'],
  { offers, lists }: { readonly offers: Offers; readonly lists: Pick<KnownLists, 'get'> },
  { toolboxes, environment, isWanted, interactive, onBegin, onTrial }: TrialOptions,
): Promise<readonly ServerTrial[]> {
  const names = toolboxes ?? offers.source.toolboxes.map(({ name }) => name);
  const candidates = names
    .flatMap((name) => candidatesOf(offers, name, environment))
    .filter(({ offered }) => !('settings' in offered) || (isWanted?.(offered.settings) ?? true));
  // A person can be in one browser page at a time.
  const inTurn = pLimit(interactive ? 1 : AT_ONCE);
  return Promise.all(
    candidates.map((candidate) =>
      inTurn(async () => {
        const trial = await tryOne(candidate);
        onTrial?.(trial);
        return trial;
      }),
    ),
  );

  async function tryOne({ toolbox, server, offered }: Candidate): Promise<ServerTrial> {
    if ('reason' in offered) return { toolbox, server, isOk: false, reason: offered.reason };
    onBegin?.({ toolbox, server, downloadedBy: downloader(offered.settings) });
    using lease = apart(offered, interactive);
    const startedAt = performance.now();
    try {
      await lease.open();
      const durationMs = Math.round(performance.now() - startedAt);
      const { protocolVersion = '' } = lease.server ?? {};
      const tools = lease.link.toolCount ?? 0;
      const heldBack = heldBackOf([offered], lists)[0]?.reason;
      return {
        ...{ toolbox, server, isOk: true, tools, protocolVersion, durationMs },
        ...(heldBack !== undefined && { heldBack }),
      };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { toolbox, server, isOk: false, reason };
    }
  }
}

interface Candidate {
  readonly toolbox: string;
  readonly server: string;
  readonly offered: OfferedServer | ServerFault;
}

/** The servers of a toolbox; each with what is wrong where it can't be used. */
function candidatesOf(
  offers: Offers,
  toolbox: string,
  environment: TrialOptions['environment'],
): readonly Candidate[] {
  const names = offers.source.toolboxes.find(({ name }) => name === toolbox)?.servers ?? [];
  try {
    const { servers, settings } = offers.of(toolbox, environment);
    return names.flatMap((server): Candidate[] => {
      const isIt = (each: { readonly server: string }) => each.server === server;
      const offered = servers.find(isIt) ?? settings.faults.find(isIt);
      return offered ? [{ toolbox, server, offered }] : [];
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return names.map((server) => ({ toolbox, server, offered: { server, reason } }));
  }
}
