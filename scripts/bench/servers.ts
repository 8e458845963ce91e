import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';

/** Where a process runs. */
export interface At {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * An MCP server under measurement, driven by raw lines: with any client library between, ours as well as the SDK's,
 * its work and its pauses for garbage would be in every figure, and a ratio of two servers nearer to one than it is.
 */
export interface StdioServer {
  /** What the server told the host's model at the start of the session. */
  readonly instructions: string;
  /** Sends a request and answers with its result; @throws when the server answers an error. */
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Resident memory of the process, in megabytes. */
  rssMb(): number;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * What a host passes to the servers that it starts: the official SDK's few variables, and where temporary files go.
 * What else a machine has in its environment would be in each figure: certificate authorities of its own cost each
 * Node.js 30 ms before its first line.
 */
export function hostEnvironment(): Record<string, string> {
  const { TMPDIR } = process.env;
  return { ...getDefaultEnvironment(), ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}

/** Starts `node <args>`, or another program, and initializes a session. */
export async function startStdioServer(
  args: readonly string[],
  { cwd, env = {}, command = process.execPath }: At & { command?: string },
): Promise<StdioServer> {
  const child = spawn(command, args, {
    cwd,
    env: { ...hostEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = speakLines(child.stdout, child.stdin);
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`${command} ${args.join(' ')} ended with ${code} before it had said who it is`);
  });
  const { instructions = '' } = await Promise.race([shakeHands(lines), ended]);
  ended.catch(() => {}); // from here on it may
  return {
    instructions: String(instructions),
    request: lines.request,
    rssMb: () => residentMb(child),
    pid: Number(child.pid),
    stop: () => endInput(child),
  };
}

/** Opens a session by lines of JSON over any pair of streams. */
export async function initialize(input: Readable, output: Writable): Promise<StdioServer['request']> {
  const lines = speakLines(input, output);
  await shakeHands(lines);
  return lines.request;
}

/** @returns the server's answer to `initialize` */
async function shakeHands({ request, send }: ReturnType<typeof speakLines>) {
  const answer = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  });
  send({ method: 'notifications/initialized' });
  return answer;
}

function speakLines(input: Readable, output: Writable) {
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    waiting.get(Number(message.id))?.(message);
  });
  let nextId = 1;
  const send = (message: object) => output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  async function request(method: string, params: object = {}) {
    const id = nextId++;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await answered;
    waiting.delete(id);
    if (!result) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }
  return { request, send };
}

/** A process that is only there, for its memory. */
export type IdleProcess = Pick<StdioServer, 'rssMb' | 'pid' | 'stop'>;

export async function startIdleProcess(
  args: readonly string[],
  { cwd }: { cwd: string },
): Promise<IdleProcess> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: hostEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  return {
    rssMb: () => residentMb(child),
    pid: Number(child.pid),
    stop: () => endInput(child),
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
    env: { ...hostEnvironment(), ...env },
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
    pid: Number(child.pid),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Ends a process by the end of its input, and waits for it. */
async function endInput(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}

interface Message {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: unknown;
}

/** Resident memory of a process and all that descend from it, in megabytes. */
export function treeMb(root: number): number {
  return treeOf(root).reduce((total, { rssMb }) => total + rssMb, 0);
}

/** A process and all that descend from it. */
export function treeOf(root: number): { readonly pid: number; readonly rssMb: number }[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number, rssKb: number]);
  const below = (pid: number): typeof rows =>
    rows.filter(([, parent]) => parent === pid).flatMap((row) => [row, ...below(row[0])]);
  const own = rows.filter(([pid]) => pid === root);
  return [...own, ...below(root)].map(([pid, , rssKb]) => ({ pid, rssMb: rssKb / 1024 }));
}

function residentMb({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
