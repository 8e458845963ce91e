import { join } from 'node:path';
import { ProtocolError } from '@nexus/core';
import {
  connect,
  createWatchdog,
  type Interactive,
  type ServerSettings,
  type ToolboxSettings,
} from '@nexus/downstream';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import type { LoadedConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { version } from '../version.ts';

/** What came of connecting to one server. */
export type ServerTrial = { readonly toolbox: string; readonly server: string } & (
  | {
      readonly isOk: true;
      readonly tools: number;
      readonly protocolVersion: string;
      readonly durationMs: number;
    }
  | { readonly isOk: false; readonly reason: string }
);

export interface TrialOptions {
  /** By default every server. */
  readonly isWanted?: (settings: ServerSettings) => boolean;
  /** Present where a person can authorise in a browser now. */
  readonly interactive?: Interactive | undefined;
  onTrial?(trial: ServerTrial): void;
}

interface Candidate {
  readonly toolbox: string;
  readonly server: string;
  readonly settings: ServerSettings | Error;
}

const AT_ONCE = 4;
const LIST_TIMEOUT_MS = 30_000;

/** Connects to each server of the toolboxes by itself, lists its tools, and closes it again. */
export async function tryServers(
  loaded: LoadedConfig,
  toolboxes: readonly string[],
  { isWanted = () => true, interactive, onTrial }: TrialOptions = {},
): Promise<readonly ServerTrial[]> {
  const watchdog = createWatchdog();
  const waiting = toolboxes
    .flatMap((toolbox) => candidatesOf(loaded, toolbox))
    .filter(({ settings }) => settings instanceof Error || isWanted(settings));
  const trials: ServerTrial[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const trial = await tryServer(next);
      trials.push(trial);
      onTrial?.(trial);
    }
  };

  async function tryServer({ toolbox, server, settings }: Candidate): Promise<ServerTrial> {
    try {
      if (settings instanceof Error) throw settings;
      const startedAt = performance.now();
      const connection = await connect(settings, {
        serverName: server,
        toolbox,
        clientInfo: { name: 'nexus', version },
        listener: { notification() {}, request: refuse },
        log: createLog('silent'),
        projectRoot: loaded.projectRoot,
        openLines: jsonLinesChannel,
        watchdog,
        authFolder: join(loaded.dataDir, 'auth'),
        interactive,
      });
      try {
        const { capabilities, protocolVersion } = connection.server;
        const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
        const tools = capabilities.tools ? await connection.list('tools/list', 'tools', { signal }) : [];
        const durationMs = Math.round(performance.now() - startedAt);
        return { toolbox, server, isOk: true, tools: tools.length, protocolVersion, durationMs };
      } finally {
        await connection.close();
      }
    } catch (error) {
      return { toolbox, server, isOk: false, reason: (error as Error).message };
    }
  }

  try {
    // A person can be in one browser page at a time.
    await Promise.all(Array.from({ length: interactive ? 1 : AT_ONCE }, work));
    return trials;
  } finally {
    watchdog.close();
  }
}

/** Its servers; each with the fault of the toolbox's settings where they can't be used. */
function candidatesOf({ toolboxSource }: LoadedConfig, toolbox: string): Candidate[] {
  const servers = toolboxSource.toolboxes.find(({ name }) => name === toolbox)?.servers ?? [];
  let settings: ToolboxSettings | Error;
  try {
    settings = toolboxSource.settings(toolbox, process.env);
  } catch (error) {
    settings = error as Error;
  }
  return servers.flatMap((server) => {
    const own =
      settings instanceof Error ? settings : (settings.mcpServers[server] ?? faultOf(settings, server));
    return own ? [{ toolbox, server, settings: own }] : [];
  });
}

/** Why a server of the config is not among those that can be used. */
function faultOf({ faults }: ToolboxSettings, server: string): Error | undefined {
  const fault = faults.find((each) => each.server === server);
  return fault && new Error(fault.reason);
}

async function refuse(method: string): Promise<never> {
  throw new ProtocolError(-32601, `the nexus command does not offer ${method}`);
}
