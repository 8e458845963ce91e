import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectServer } from '@nexus/client';
import { JSON_RPC, ProtocolError, readServer, type ServerReading } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import { createWatchdog } from '@nexus/processes';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { version } from '../version.ts';

export interface ForeignServer {
  /** Program and arguments, as a host's config has them. */
  readonly command: readonly string[];
  /** For the start and all lists together, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: Log;
}

/**
 * Starts any MCP server over stdio, reads all it offers, whole, and ends it with everything it started.
 * @throws {Error} when it can't be started, ends early or is too slow, with what it said on stderr
 */
export async function readServerByCommand({
  command,
  timeoutMs,
  log,
}: ForeignServer): Promise<ServerReading> {
  const [program = '', ...args] = command;
  const watchdog = createWatchdog();
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const connection = await connectServer(
      { transport: 'stdio', command: program, args, env: {}, headers: {} },
      {
        serverName: program,
        clientInfo: { name: 'nexus-governance', version },
        capabilities: {},
        listener: { notification() {}, request: refuse },
        log,
        signal: late,
        timeoutMs,
        // As where its user would start it.
        inherits: 'all',
        projectRoot: process.cwd(),
        openLines: jsonLinesChannel,
        watchdog,
        authFolder: join(tmpdir(), 'nexus-no-auth'),
      },
    );
    try {
      return await readServer((method, params) => connection.request(method, params, { signal: late }));
    } finally {
      await connection.close();
    }
  } catch (error) {
    const isLate = late.aborted && error === late.reason;
    const why = isLate ? `it did not answer within ${timeoutMs} ms; --timeout allows more` : messageOf(error);
    throw new Error(`${command.join(' ')}: ${why}`, { cause: error });
  } finally {
    watchdog.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function refuse(method: string): Promise<never> {
  throw new ProtocolError(JSON_RPC.methodNotFound, `${method} has nobody to answer it here`);
}
