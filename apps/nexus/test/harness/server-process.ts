import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bin } from './app.ts';
import type { Project } from './project.ts';
import { type HostSession, openSession } from './session.ts';

/** How long a test waits for an end before it ends the process itself. */
const PATIENCE_MS = 15_000;

export interface ServerProcess extends AsyncDisposable {
  readonly session: HostSession;
  readonly child: ChildProcess;
  /** Of the process; also of the group that it leads, where there are groups. */
  readonly pid: number;
  stderr(): string;
  /** Resolves at the end of the process, with how long that took from `since` on. */
  exit(since?: number): Promise<{ code: number | null; signal: NodeJS.Signals | null; tookMs: number }>;
}

export interface ServerOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Options of `node` itself. */
  readonly nodeArgs?: readonly string[];
  /** Starts this with `args` alone, in place of the built app. */
  readonly command?: string;
}

/** Starts `nexus --mode=server` in the project, as a host would, and speaks with it over stdio. */
export function startServer(project: Project, options: ServerOptions = {}): ServerProcess {
  const { command = process.execPath, nodeArgs = [], args = [] } = options;
  const own = options.command === undefined ? [...nodeArgs, bin, '--mode=server'] : [];
  const child = spawn(command, [...own, ...args], {
    cwd: project.root,
    env: { ...project.env, ...options.env },
    // A group of its own, so that a test can see whether anything of it is left.
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`can't start ${command}`);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    session: openSession(child.stdout, child.stdin),
    child,
    pid,
    stderr: () => stderr,
    async exit(since = Date.now()) {
      const [code, signal] = await closed;
      return { code, signal, tookMs: Date.now() - since };
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      const timer = setTimeout(() => killGroup(pid), PATIENCE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

function killGroup(pid: number): void {
  process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}
