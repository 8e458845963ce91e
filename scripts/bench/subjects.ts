import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { meetingPoint } from '@nexus/transports/ipc';
import { buildId } from '../../apps/nexus/src/version.ts';
import {
  type HttpServer,
  type IdleProcess,
  type StdioServer,
  startHttpServer,
  startIdleProcess,
  startStdioServer,
} from './servers.ts';

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
export const bin = fileURLToPath(new URL('../../apps/nexus/bin/nexus.js', import.meta.url));

/** A config that adds one tool that does nothing, and lets it be called as fast as it goes. */
export const withNoop = {
  plugins: [fixture('noop-plugin.mjs')],
  limits: { callsPerSecond: 10_000, burst: 100_000 },
};

/** An empty project with a data directory of its own, removed at the end. */
export interface Scratch extends Disposable {
  readonly projectDir: string;
  /** What the project's processes need in their environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts the built Nexus on this project. */
  startNexus(): Promise<StdioServer>;
  /** The same, shared: the first is the owner, each further one a bridge to it. */
  startShared(): Promise<StdioServer>;
  /** A process that carries bytes between its stdio and the owner's socket, and reads none of them. */
  startPipe(): Promise<StdioServer>;
  /** Starts a server of the bare SDK with one tool that does nothing. */
  startBare(): Promise<StdioServer>;
  /** The built Nexus over HTTP, without a token as the bare server is. */
  startNexusHttp(): Promise<HttpServer>;
  /** The bare SDK's HTTP transport on node:http. */
  startBareHttp(): Promise<HttpServer>;
  /** A Node.js that does nothing but read its stdin. */
  startIdleNode(): Promise<IdleProcess>;
}

/**
 * @param config none: the project has no config file, as a new user's has not
 * @param also of the environment of what is started
 */
export function makeScratch(config?: object, also: Readonly<Record<string, string>> = {}): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-bench-'));
  if (config) writeFileSync(join(folder, 'nexus.config.json'), JSON.stringify(config));
  const env = {
    NEXUS_DATA_DIR: join(folder, '.data'),
    NEXUS_RUNTIME_DIR: folder,
    NEXUS_TRUST: 'all',
    ...also,
  };
  const at = { cwd: folder, env };
  return {
    projectDir: folder,
    env,
    startNexus: () => startStdioServer([bin, '--mode=server', '--standalone'], at),
    startShared: () => startStdioServer([bin, '--mode=server'], at),
    startPipe: async () => startStdioServer([fixture('pipe.mjs'), ...(await wayToOwner(folder, env))], at),
    startNexusHttp: () => startHttpServer([bin, 'serve', '--http', '0', '--no-auth'], at),
    startBareHttp: () => startHttpServer([fixture('bare-http-server.mjs')], at),
    startIdleNode: () => startIdleProcess(['-e', 'process.stdin.resume()'], at),
    startBare: () => startStdioServer([fixture('bare-server.mjs')], at),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The socket of the project's owner, and what a bridge says first on it. */
async function wayToOwner(projectRoot: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const configPath = join(projectRoot, 'nexus.config.json');
  const { identity, pointerPath } = await meetingPoint(
    { projectRoot, configPath, dataDir: join(projectRoot, '.data'), buildId: buildId() },
    env,
  );
  const { socketPath, token } = JSON.parse(readFileSync(pointerPath, 'utf8')) as Record<string, string>;
  const session = { sessionId: randomUUID(), isResumed: false, environment: {} };
  const hello = { nexus: 1, identity, token, pid: process.pid, purpose: 'session', session };
  return [String(socketPath), JSON.stringify(hello)];
}
