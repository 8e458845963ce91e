import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { readServer, type ServerReading } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { connectRpc } from '../client/rpc-client.ts';
import { endProcessTree } from './end-process-tree.ts';

/** A server that closed its output has this long to exit, so that its exit code can be told. */
const EXIT_GRACE_MS = 500;
const STDERR_TAIL_CHARACTERS = 2000;

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
export async function readForeignServer(server: ForeignServer): Promise<ServerReading> {
  const [program = '', ...args] = server.command;
  const { execa } = await import('execa');
  const child = execa(program, args, {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let said = '';
  child.stderr.on('data', (chunk: unknown) => {
    said = `${said}${chunk}`.slice(-STDERR_TAIL_CHARACTERS);
  });
  const late = new AbortController();
  try {
    return await Promise.race([
      readOver(child.stdout, child.stdin, server.log),
      pause(server.timeoutMs, undefined, { signal: late.signal }).then(() => {
        throw new Error(`it did not answer within ${server.timeoutMs} ms; --timeout allows more`);
      }),
    ]);
  } catch (error) {
    const result = await Promise.race([child, pause(EXIT_GRACE_MS)]);
    const ended = result?.exitCode === undefined ? result?.code : `exit code ${result.exitCode}`;
    const lines = [`${server.command.join(' ')}: ${(error as Error).message}${ended ? ` (${ended})` : ''}`];
    throw new Error([...lines, ...(said.trim() ? ['It said:', said.trim()] : [])].join('\n'), {
      cause: error,
    });
  } finally {
    late.abort();
    if (child.pid !== undefined) await endProcessTree(child.pid);
  }
}

async function readOver(readable: Readable, writable: Writable, log: Log): Promise<ServerReading> {
  const client = await connectRpc(jsonLinesChannel({ kind: 'foreign server', readable, writable, log }));
  const reading = await readServer((method, params) => client.request(method, params));
  await client.close();
  return reading;
}
