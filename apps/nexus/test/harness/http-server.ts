import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { bin } from './app.ts';
import type { Project } from './project.ts';
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts';

export interface HttpServerProcess extends AsyncDisposable {
  /** Of the MCP endpoint. */
  readonly url: string;
  /** Undefined for a server that asks for none. */
  readonly token: string | undefined;
  readonly process: ServerProcess;
}

/** Starts `nexus serve --http` on a free port. */
export async function startHttpServer(
  project: Project,
  options: ServerOptions = {},
): Promise<HttpServerProcess> {
  const { nodeArgs = [], args = [], env } = options;
  const server = startServer(project, {
    command: process.execPath,
    args: [...nodeArgs, bin, 'serve', '--http', '0', ...args],
    ...(env ? { env } : {}),
  });
  const end = async () => {
    server.child.kill('SIGTERM');
    await server[Symbol.asyncDispose]();
  };
  try {
    const url = await httpUrl(server);
    const token = args.includes('--no-auth') ? undefined : await readToken(project);
    return { url, token, process: server, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Where a server with `--verbose` or `serve` says that it can be reached by HTTP. */
export function httpUrl(server: ServerProcess): Promise<string> {
  return vi.waitFor(
    () => {
      const [url] = /https?:\/\/[^\s"]+\/mcp/.exec(server.stderr()) ?? [];
      if (server.child.exitCode === null) expect(url, server.stderr()).toBeDefined();
      return String(url);
    },
    { timeout: 30_000, interval: 20 },
  );
}

export async function readToken(project: Project): Promise<string> {
  return (await readFile(join(project.dataDir, 'http-token'), 'utf8')).trim();
}
