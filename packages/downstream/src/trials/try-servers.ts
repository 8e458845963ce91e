import type { Connection, ConnectionListener, Interactive } from '@nexus/client';
import { JSON_RPC, ProtocolError } from '@nexus/core';
import pLimit from 'p-limit';
import type { Environment, ServerTrial, ToolboxSource, TrialOptions } from '../downstreams.ts';
import type { KnownLists } from '../lists/known-lists.ts';
import { type OfferedServer, offeredServer } from '../server-address.ts';
import type { ServerFault } from '../settings.ts';

export interface Trials {
  /** Connects to a server for itself, whoever else is connected to it. */
  dial(
    server: OfferedServer,
    how: { readonly listener: ConnectionListener; readonly interactive?: Interactive | undefined },
  ): Promise<Connection>;
  readonly lists: KnownLists;
  readonly listTimeoutMs: number;
}

const AT_ONCE = 4;

/** Connects to each server of the toolboxes by itself, keeps what it lists, and closes it again. */
export async function tryServers(
  { dial, lists, listTimeoutMs }: Trials,
  candidates: readonly Candidate[],
  { interactive, onTrial }: TrialOptions,
): Promise<readonly ServerTrial[]> {
  // A person can be in one browser page at a time.
  const inTurn = pLimit(interactive ? 1 : AT_ONCE);

  async function tryOne({ toolbox, server, offered }: Candidate): Promise<ServerTrial> {
    try {
      if ('reason' in offered) return { toolbox, server, isOk: false, reason: offered.reason };
      const startedAt = performance.now();
      const connection = await dial(offered, {
        listener: { notification() {}, request: refuse },
        interactive,
      });
      try {
        const { capabilities, protocolVersion } = connection.server;
        const signal = AbortSignal.timeout(listTimeoutMs);
        const tools = capabilities.tools ? await connection.list('tools/list', 'tools', { signal }) : [];
        const durationMs = Math.round(performance.now() - startedAt);
        await lists.listed(offered, tools);
        return { toolbox, server, isOk: true, tools: tools.length, protocolVersion, durationMs };
      } finally {
        await connection.close();
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { toolbox, server, isOk: false, reason };
    }
  }

  return Promise.all(
    candidates.map((candidate) =>
      inTurn(async () => {
        const trial = await tryOne(candidate);
        onTrial?.(trial);
        return trial;
      }),
    ),
  );
}

export interface Candidate {
  readonly toolbox: string;
  readonly server: string;
  readonly offered: OfferedServer | ServerFault;
}

/** The servers of a toolbox; each with what is wrong where it can't be used. */
export function candidatesOf(
  source: ToolboxSource,
  toolbox: string,
  environment: Environment,
): readonly Candidate[] {
  const names = source.toolboxes.find(({ name }) => name === toolbox)?.servers ?? [];
  try {
    const { mcpServers, faults } = source.settings(toolbox, environment);
    return names.flatMap((server): Candidate[] => {
      const settings = mcpServers[server];
      if (settings) return [{ toolbox, server, offered: offeredServer(toolbox, server, settings) }];
      const fault = faults.find((each) => each.server === server);
      return fault ? [{ toolbox, server, offered: fault }] : [];
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return names.map((server) => ({ toolbox, server, offered: { server, reason } }));
  }
}

async function refuse(method: string): Promise<never> {
  throw new ProtocolError(
    JSON_RPC.methodNotFound,
    `${method} has nobody to answer it while a server is tried`,
  );
}
