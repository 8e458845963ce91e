import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** An MCP server under measurement, driven by raw lines so that no client library weighs in. */
export interface StdioServer {
  /** Sends a request and answers with its result; @throws when the server answers an error. */
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Resident memory of the process, in megabytes. */
  rssMb(): number;
  stop(): Promise<void>;
}

/** Starts `node <args>` and initializes a session. */
export async function startStdioServer(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<StdioServer> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    waiting.get(Number(message.id))?.(message);
  });
  let nextId = 1;
  async function request(method: string, params: object = {}) {
    const id = nextId++;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { result, error } = await answered;
    waiting.delete(id);
    if (!result) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    request,
    rssMb: () => residentMb(child),
    async stop() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}

/** A process that is only there, for its memory. */
export type IdleProcess = Pick<StdioServer, 'rssMb' | 'stop'>;

export async function startIdleProcess(
  args: readonly string[],
  { cwd }: { cwd: string },
): Promise<IdleProcess> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  return {
    rssMb: () => residentMb(child),
    async stop() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}

/** A server under measurement that listens on loopback. */
export interface HttpServer extends IdleProcess {
  readonly url: string;
}

/** Starts `node <args>` and waits until it says on stderr where it listens. */
export async function startHttpServer(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<HttpServer> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += String(chunk);
      const [found] = /http:\/\/[^\s"]+\/mcp/.exec(said) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended: ${said}`)));
  });
  return {
    url,
    rssMb: () => residentMb(child),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

interface Message {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: unknown;
}

function residentMb({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
