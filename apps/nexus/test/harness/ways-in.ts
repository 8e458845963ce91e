import type { Project } from './project.ts';
import { type ServerOptions, startServer } from './server-process.ts';
import type { Session } from './session.ts';

/** An initialised client of a server that was started for it. */
export interface OpenWay extends AsyncDisposable {
  readonly session: Session;
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
];
