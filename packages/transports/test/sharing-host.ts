import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawClient } from '@nexus/testing';
import { bundleProgram } from '../../../vitest.programs.ts';

type Message = Record<string, unknown>;

/** A project whose hosts share one server; every process that it started ends with it. */
export interface SharingProject extends AsyncDisposable {
  readonly folder: string;
  readonly runtimeDir: string;
  readonly identity: { projectRoot: string; dataDir: string; buildId: string };
  host(options?: { name?: string; buildId?: string }): SharingHost;
  /** What the fixture's tools wrote: one line a run. */
  notes(): readonly string[];
  sockets(): readonly string[];
}

/** One host: its own process of the product, and a client on that one's stdio. */
export interface SharingHost {
  readonly child: ChildProcess;
  /** Everything that the process wrote to stdout, in order. */
  readonly received: readonly Message[];
  request(method: string, params?: Message, id?: string | number): Promise<Message>;
  /** Calls a fixture tool; gives its answer's text, parsed. */
  call(name: string, args?: Message): Promise<Message>;
  initialize(): Promise<Message>;
  write(message: Message): void;
  /** Answers what the server asks; unset, questions stay open. */
  onQuestion(answer: (question: Message) => void): void;
  stderr(): string;
  exited(): Promise<number | null>;
}

const program = await bundleProgram(new URL('./programs/sharing-process.ts', import.meta.url));

export function sharingProject(): SharingProject {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-share-'));
  const runtimeDir = join(folder, 'run');
  const dataDir = join(folder, 'data');
  mkdirSync(runtimeDir);
  mkdirSync(dataDir);
  const identity = { projectRoot: folder, dataDir, buildId: 'build-1' };
  const notesPath = join(folder, 'notes');
  const children: ChildProcess[] = [];
  const files = () => readdirSync(runtimeDir, { recursive: true }).map(String);
  return {
    folder,
    runtimeDir,
    identity,
    host({ name = 'host', buildId = identity.buildId } = {}) {
      const env = { ...process.env, NEXUS_RUNTIME_DIR: runtimeDir, NOTES: notesPath, HOST_NAME: name };
      const child = spawn(process.execPath, [program, JSON.stringify({ ...identity, buildId })], { env });
      children.push(child);
      return openHost(child);
    },
    notes() {
      try {
        return readFileSync(notesPath, 'utf8').trim().split('\n');
      } catch {
        return [];
      }
    },
    sockets: () => files().filter((path) => path.endsWith('.sock')),
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => exit(child)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function openHost(child: ChildProcess): SharingHost {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('the process has no pipes');
  const client = rawClient({ readable: stdout, writable: stdin });
  const received: Message[] = [];
  const waiting = new Map<unknown, (answer: Message) => void>();
  let log = '';
  let nextId = 0;
  let onQuestion: (question: Message) => void = () => {};
  stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const read = async () => {
    for await (const each of client.messages()) {
      const message = each as Message;
      received.push(message);
      if (message.method !== undefined && message.id !== undefined) onQuestion(message);
      else waiting.get(message.id)?.(message);
    }
  };
  // A process that is killed ends its stdout in the middle.
  read().catch(() => {});
  const host: SharingHost = {
    child,
    received,
    stderr: () => log,
    exited: () => exit(child),
    write: (message) => void client.send({ jsonrpc: '2.0', ...message }),
    onQuestion(answer) {
      onQuestion = answer;
    },
    request: (method, params = {}, id = nextId++) =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        host.write({ id, method, params });
      }),
    async call(name, args = {}) {
      const answer = await host.request('tools/call', { name, arguments: args });
      const result = answer.result as { content: [{ text: string }]; isError?: boolean; _meta?: Message };
      return result.isError ? { error: result._meta?.['nexus/error'] } : JSON.parse(result.content[0].text);
    },
    async initialize() {
      const answer = await host.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
      host.write({ method: 'notifications/initialized' });
      return answer;
    },
  };
  return host;
}

async function exit(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
