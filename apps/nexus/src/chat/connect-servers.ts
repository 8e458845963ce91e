import { join } from 'node:path';
import {
  answerServer,
  CHAT_CAPABILITIES,
  type ChatServer,
  type ServerAnswers,
  type ServerTool,
  serverTools,
} from '@nexus/chat';
import { type ConnectionListener, connectServer } from '@nexus/client';
import { type Log, READING_KIT } from '@nexus/plugin-sdk';
import { createWatchdog } from '@nexus/processes';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { connectToNexus, type NexusConnection } from '../client/connect-to-nexus.ts';
import { everyTool } from '../client/every-tool.ts';
import { everyToolbox } from '../client/every-toolbox.ts';
import { readTool } from '../client/read-tool.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { version } from '../version.ts';
import { splitCommand } from './split-command.ts';

export interface ServersOptions {
  readonly loaded: LoadedConfig;
  readonly config: string | undefined;
  /** Command lines, and URLs, of servers beside Nexus. */
  readonly commands: readonly string[];
  readonly answers: ServerAnswers;
  readonly log: Log;
  /** Told of a server or toolbox that is not there; the chat goes on without it. */
  readonly missing: (what: string, reason: string) => void;
}

/** The servers of a chat, connected, with the tools they have now. */
export interface ConnectedServers extends AsyncDisposable {
  readonly names: readonly string[];
  tools(): readonly ServerTool[];
  /** Asks again where a server said that its tools have changed. */
  refresh(signal: AbortSignal): Promise<void>;
}

/** Nexus with all toolboxes open, and each server that was named. */
export async function connectServers(options: ServersOptions): Promise<ConnectedServers> {
  const { commands, answers, log, missing } = options;
  const ends: (() => Promise<void>)[] = [];
  const servers: ChatServer[] = [];
  let tools: readonly ServerTool[] = [];
  let isStale = true;
  const listener = (nameOf: () => string): ConnectionListener => ({
    notification(method) {
      if (method === 'notifications/tools/list_changed') isStale = true;
    },
    request: answerServer(answers, nameOf),
  });
  const watchdog = createWatchdog();
  ends.push(async () => watchdog.close());

  const nexus = await connectToNexus({
    config: options.config,
    offers: { capabilities: CHAT_CAPABILITIES, listener: listener(() => 'nexus') },
  });
  ends.push(async () => nexus[Symbol.asyncDispose]());
  servers.push({
    ...{ name: 'nexus', id: 'nexus', isOwn: true },
    ...{ connection: listingEveryTool(nexus), isFirst: isInReadingKit },
  });
  const [, ...named] = await Promise.all([
    openToolboxes(nexus, missing),
    ...commands.map(async (command, index) => {
      let name = `server${index + 1}`;
      try {
        const connection = await connectServer(settingsOf(command), {
          serverName: command,
          clientInfo: { name: 'nexus-chat', version },
          capabilities: CHAT_CAPABILITIES,
          listener: listener(() => name),
          log,
          projectRoot: process.cwd(),
          openLines: jsonLinesChannel,
          watchdog,
          authFolder: join(options.loaded.dataDir, 'auth'),
        });
        ends.push(() => connection.close());
        return () => {
          name = serverNameOf(connection.server.serverInfo.name, name, servers);
          servers.push({ name, id: command, isOwn: false, connection, isFirst: () => true });
        };
      } catch (error) {
        missing(command, (error as Error).message);
        return undefined;
      }
    }),
  ]);
  // In the order they were given, however fast each connects, so that their names stay the same.
  for (const enter of named) enter?.();

  return {
    get names() {
      return servers.map(({ name }) => name);
    },
    tools: () => tools,
    async refresh(signal) {
      if (!isStale) return;
      isStale = false;
      tools = await serverTools(servers, signal);
    },
    async [Symbol.asyncDispose]() {
      for (const end of ends.reverse()) await end().catch(() => {});
    },
  };
}

/** Whoever named a server wants its tools; of Nexus's own, reading is what most questions need. */
function isInReadingKit(name: string): boolean {
  return (READING_KIT as readonly string[]).includes(name);
}

/** Also what hosts do not see in their list; without what opens toolboxes and finds in them, since the chat does both. */
function listingEveryTool(nexus: NexusConnection): ChatServer['connection'] {
  return {
    request: nexus.request,
    async list() {
      const { tools } = await everyTool(nexus);
      return tools.filter(({ plugin }) => plugin !== 'toolboxes').map(({ listing }) => listing);
    },
  };
}

async function openToolboxes(
  nexus: Awaited<ReturnType<typeof connectToNexus>>,
  missing: ServersOptions['missing'],
): Promise<void> {
  const toolboxes = await everyToolbox(nexus);
  await Promise.all(
    toolboxes.map(async ({ name }) => {
      await readTool(nexus, 'open_toolbox', { toolbox: name }).catch((error: Error) =>
        missing(`toolbox ${name}`, error.message),
      );
    }),
  );
}

function settingsOf(command: string): Parameters<typeof connectServer>[0] {
  if (/^https?:\/\//.test(command))
    return { transport: 'http', url: command, args: [], env: {}, headers: {} };
  const [program = '', ...args] = splitCommand(command);
  return { transport: 'stdio', command: program, args, env: {}, headers: {} };
}

/** As it calls itself, made fit for a tool's name, and unique. */
function serverNameOf(given: unknown, fallback: string, servers: readonly ChatServer[]): string {
  const name =
    String(given)
      .replace(/[^a-zA-Z0-9_-]/g, '_')
      .slice(0, 24) || fallback;
  return servers.some((server) => server.name === name) ? fallback : name;
}
