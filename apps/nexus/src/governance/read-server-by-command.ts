import { endsWithin, isLate } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import { withServerByCommand } from '../client/by-command.ts';
import { readServer, type ServerReading } from './drift/read-server.ts';

export interface ForeignServer {
  /** Program and arguments, as a host's config has them. */
  readonly command: readonly string[];
  /** For the start and all lists together, in milliseconds. */
  readonly timeoutMs: number;
  /** Names of the variables that it gets beside the few that every server does. */
  readonly inherits?: readonly string[];
  readonly log: Log;
}

/**
 * Starts any MCP server over stdio, reads all it offers, whole, and ends it with everything it started.
 * @throws {Error} when it can't be started, ends early or is too slow, with what it said on stderr
 */
export async function readServerByCommand({
  command,
  timeoutMs,
  inherits = [],
  log,
}: ForeignServer): Promise<ServerReading> {
  const signal = endsWithin(timeoutMs);
  try {
    return await withServerByCommand(
      { command, clientName: 'nexus-governance', inherits, log, timeoutMs, signal },
      (connection) => readServer((method, params) => connection.request(method, params, { signal })),
    );
  } catch (error) {
    const why =
      isLate(error) && signal.aborted
        ? `it did not answer within ${timeoutMs} ms; --timeout allows more`
        : messageOf(error);
    throw new Error(`${command.join(' ')}: ${why}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
