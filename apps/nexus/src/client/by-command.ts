import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, connectServer, offersNothing } from '@nexus/client';
import type { Log } from '@nexus/plugin-sdk';
import { createWatchdog } from '@nexus/processes';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { version } from '../version.ts';

export interface ServerByCommand {
  /** Program and arguments, as a host's config has them. */
  readonly command: readonly string[];
  /** In messages; by default its program. */
  readonly serverName?: string;
  readonly clientName: string;
  readonly log: Log;
  /** For the handshake, in milliseconds. */
  readonly timeoutMs: number;
  /** Names of the variables that it gets beside the few that every server does. */
  readonly inherits: readonly string[];
  /** Where it starts; by default here. */
  readonly folder?: string;
  /** What it gets beside those. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the attempt to start it. */
  readonly signal?: AbortSignal;
}

/**
 * Starts an MCP server over stdio that its user named, and ends it with
 * everything it started once the work is done.
 * @throws {ConnectionError}; the signal's reason; what `work` throws
 */
export async function withServerByCommand<Result>(
  {
    command: [program = '', ...args],
    serverName = program,
    clientName,
    log,
    timeoutMs,
    inherits,
    folder = process.cwd(),
    env = {},
    signal,
  }: ServerByCommand,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const watchdog = createWatchdog();
  try {
    const connection = await connectServer(
      { transport: 'stdio', command: program, args, env, headers: {} },
      {
        serverName,
        clientInfo: { name: clientName, version },
        ...offersNothing,
        log,
        signal,
        timeoutMs,
        inherits,
        projectRoot: folder,
        openLines: jsonLinesChannel,
        watchdog,
        authFolder: join(tmpdir(), 'nexus-no-auth'),
      },
    );
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  } finally {
    watchdog.close();
  }
}
