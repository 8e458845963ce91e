import type { Writable } from 'node:stream';
import { counted } from '@nexus/primitives';
import { stdioChannel } from '@nexus/transports/stdio';
import { type Ending, EXIT_AFTER_CLOSE_MS, EXIT_AFTER_REQUEST_MS } from './end-by-signals.ts';
import { reloadOnHangup } from './follow-config.ts';
import { type StartOptions, startServer } from './start-server.ts';

export interface StdioServerOptions extends StartOptions {
  readonly ending: Ending;
  /** The process's own, claimed before any plugin can print to it. */
  readonly stdout: Writable;
}

/** Serves this process's host, and whoever comes by the socket, until the host goes or a signal ends it. */
export async function serveStdio({ ending, stdout, ...start }: StdioServerOptions): Promise<void> {
  const server = await startServer(start);
  reloadOnHangup(ending, server);
  const { nexus, loaded, log } = server;
  const { maxMessageBytes } = loaded.config.limits;
  const session = nexus.serve(stdioChannel({ log, stdout, maxMessageBytes }));
  if (process.stdin.isTTY) {
    const { greet } = await import('./greet.ts');
    const tools = nexus.registry.listed(undefined, await nexus.hasModel(false));
    greet(`an MCP server with ${counted(tools.length, 'tool')} for ${loaded.projectRoot}`, loaded.configFile);
  }
  const withinMs = await Promise.race([
    session.closed.then(() => EXIT_AFTER_CLOSE_MS),
    ending.requested.then(() => EXIT_AFTER_REQUEST_MS),
    server.stopRequested.then(() => EXIT_AFTER_REQUEST_MS),
  ]);
  ending.begin(withinMs);
  await server.stop(withinMs);
}
