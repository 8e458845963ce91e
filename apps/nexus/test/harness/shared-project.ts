import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeProject, type Project, type ProjectInput } from './project.ts';
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts';

/** A project whose processes share one server; those that a test leaves running end with it. */
export interface SharedProject extends Project {
  /** Starts a process as a host would, and initializes its session. */
  host(options?: ServerOptions): Promise<ServerProcess>;
  /** Starts one that may not come to serve. */
  start(options?: ServerOptions): ServerProcess;
  /** The processes that serve now, by their pointer files: one for each project, config and build. */
  owners(): Promise<readonly number[]>;
  /** The process that serves this project; fails when it is none of the test's. */
  owner(): Promise<ServerProcess>;
  sockets(): Promise<readonly string[]>;
}

export async function shareProject(input: ProjectInput = {}): Promise<SharedProject> {
  const project = await makeProject(input);
  const started: ServerProcess[] = [];

  async function filesEnding(suffix: string): Promise<string[]> {
    const { runtimeDir } = project;
    const files = await readdir(runtimeDir, { recursive: true });
    return files.filter((file) => file.endsWith(suffix)).map((file) => join(runtimeDir, file));
  }

  function start(options: ServerOptions = {}): ServerProcess {
    const server = startServer(project, options);
    started.push(server);
    return server;
  }

  async function owners(): Promise<readonly number[]> {
    const texts = await Promise.all((await filesEnding('.json')).map((file) => readFile(file, 'utf8')));
    return texts.map((text) => (JSON.parse(text) as { pid: number }).pid);
  }

  return {
    ...project,
    start,
    owners,
    async host(options) {
      const server = start(options);
      await server.session.initialize();
      return server;
    },
    async owner() {
      const pids = await owners();
      const found = started.find(({ pid }) => pids.includes(pid));
      if (!found) throw new Error(`processes ${pids.join(', ')} serve, none of them the test's`);
      return found;
    },
    sockets: () => filesEnding('.sock'),
    async [Symbol.asyncDispose]() {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map((server) => server.exit()));
      await project[Symbol.asyncDispose]();
    },
  };
}
