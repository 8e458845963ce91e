import { httpLines } from './http-lines.ts';
import { startHttpServer } from './http-server.ts';
import { changeConfig, type Project } from './project.ts';
import { type ServerOptions, startServer } from './server-process.ts';
import { type HostSession, openSession } from './session.ts';

/** An initialised client of a server that was started for it. */
export interface OpenWay extends AsyncDisposable {
  readonly session: HostSession;
  /** The process that runs the tools. */
  readonly pid: number;
  /** What that process said on stderr. */
  stderr(): string;
}

/** One way by which a client reaches a server. */
export interface WayIn {
  readonly name: string;
  /** Whether a client sends lines of text of its own, which may be no JSON at all. */
  readonly takesLines: boolean;
  open(project: Project, options?: WayOptions): Promise<OpenWay>;
}

export interface WayOptions extends ServerOptions {
  /** What the client declares at initialize. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** Every requirement on the protocol is shown on each of these. */
export const waysIn: readonly WayIn[] = [
  {
    name: 'stdio',
    takesLines: true,
    async open(project, { capabilities, ...options } = {}) {
      const server = startServer(project, options);
      await server.session.initialize(capabilities);
      return server;
    },
  },
  {
    name: 'ipc',
    takesLines: true,
    async open(project, { capabilities, ...options } = {}) {
      const owner = startServer(project, options);
      // Answered once the server listens, so the next process finds it.
      await owner.session.initialize();
      const bridge = startServer(project);
      await bridge.session.initialize(capabilities);
      return {
        session: bridge.session,
        pid: owner.pid,
        stderr: owner.stderr,
        async [Symbol.asyncDispose]() {
          await bridge[Symbol.asyncDispose]();
          await owner[Symbol.asyncDispose]();
        },
      };
    },
  },
  {
    name: 'http',
    takesLines: false,
    async open(project, { capabilities, ...options } = {}) {
      // Its limit is lower than that of the other ways, and they are all asked the same.
      await changeConfig(project, { http: { maxBodyBytes: 16 * 1024 * 1024 } });
      const server = await startHttpServer(project, options);
      const { readable, writable, close } = httpLines(server);
      const session = openSession(readable, writable);
      await session.initialize(capabilities);
      return {
        session,
        pid: server.process.pid,
        stderr: server.process.stderr,
        async [Symbol.asyncDispose]() {
          close();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  },
];
