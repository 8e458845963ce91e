import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../../../vitest.programs.ts';
import { startHttpServer } from '../http-server.ts';
import { makeProject } from '../project.ts';
import type { AttackKind, AttackOrder } from './attack.ts';
import { hostileVendors } from './attack-feeds.ts';
import { Control } from './control.ts';
import { type McpClient, openClient, type Target } from './mcp-client.ts';
import { type ThreadTime, threadTime } from './thread-time.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface SoakOptions {
  readonly ms: number;
  /** Sessions that do honest work. */
  readonly victims: number;
  readonly kinds?: readonly AttackKind[];
  /** Options of `node` for the server. */
  readonly nodeArgs?: readonly string[];
}

export interface Wait {
  readonly what: 'ping' | 'call';
  /** From the start of the load. */
  readonly atMs: number;
  readonly waitedMs: number;
  /** How long the machine made the control wait meanwhile, or the server's thread, which was ready to run. */
  readonly machineMs: number;
  /** How long the server's thread ran meanwhile; unknown where the system does not say. */
  readonly ranMs?: number;
}

export interface SoakReport {
  /** Without what was the machine's doing, the longest first. */
  readonly longest: readonly Wait[];
  readonly waits: number;
  /** How often each attacker came round. */
  readonly turns: Readonly<Record<string, number>>;
  /** Of the server's stop. */
  readonly exit: { readonly code: number | null; readonly tookMs: number };
  readonly stderr: string;
  /** Whether more wanted to run on this machine than it could run at a time. */
  readonly wasBusy: boolean;
}

/** A server under load from honest and hostile sessions, with the waits of the honest ones. */
export async function soak({ ms, victims, kinds = ALL, nodeArgs }: SoakOptions): Promise<SoakReport> {
  const hostile = { command: process.execPath, args: [file('../../fixtures/hostile-server.mjs')] };
  const toolboxes = { hostile: { mcpServers: { server: { ...hostile, transport: 'stdio' } } } };
  await using model = await startHostileModel();
  const models = { providers: { hostile: { baseUrl: model.url, models: ['hostile'] } } };
  await using project = await makeProject({
    slowPlugin: true,
    config: { toolboxes, models, feeds: { vendors: hostileVendors } },
  });
  await using server = await startHttpServer(project, nodeArgs ? { nodeArgs } : {});
  const target: Target = { url: server.url, token: server.token ?? '' };
  const clients = await Promise.all(Array.from({ length: victims }, () => openClient(target)));
  await warmUp(clients);
  const attackers = await startAttackers({ kinds, target, root: project.root });
  const waits = await measure(clients, { ms, serverPid: server.process.pid }).catch((cause: unknown) => {
    throw new Error(`a client failed; the server said: ${server.process.stderr().slice(-2_000)}`, { cause });
  });
  const turns = await attackers.end();
  server.process.child.kill('SIGTERM');
  const { code, tookMs } = await server.process.exit();
  const longest = waits.sort((a, b) => excess(b) - excess(a)).slice(0, 10);
  const wasBusy = (loadavg()[0] ?? 0) > availableParallelism();
  const stderr = server.process.stderr();
  return { longest, waits: waits.length, turns, exit: { code, tookMs }, stderr, wasBusy };
}

/** Of an honest session between two requests. */
const PAUSE_MS = 100;

const ALL: readonly AttackKind[] = ['repository', 'downstream', 'http', 'texts', 'feeds'];

/** What of a wait was the server's doing. */
export function excess({ waitedMs, machineMs }: Wait): number {
  return waitedMs - machineMs;
}

async function startHostileModel() {
  const program = file('../../fixtures/hostile-model.mjs');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = await once(child.stdout.setEncoding('utf8'), 'data');
  return {
    url: String(url),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function startAttackers(order: AttackOrder) {
  const program = await bundleProgram(new URL('./attack.ts', import.meta.url));
  const args = [program, JSON.stringify(order)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const closed = once(child, 'close');
  return {
    async end(): Promise<Record<string, number>> {
      child.stdin.end();
      await closed;
      return JSON.parse(said || '{}');
    },
  };
}

/** What is compiled at the first calls is no attacker's doing. */
async function warmUp(clients: readonly McpClient[]): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    await Promise.all(clients.map((client) => ask(client, turn % 2 ? 'ping' : 'call')));
  }
}

async function ask(client: McpClient, what: Wait['what']): Promise<void> {
  const { error } = await (what === 'ping' ? client.ask('ping') : client.call('slow_echo', { text: 'x' }));
  if (error) throw new Error(`${what}: ${error.message}`);
}

async function measure(
  clients: readonly McpClient[],
  { ms, serverPid }: { ms: number; serverPid: number },
): Promise<Wait[]> {
  const waits: Wait[] = [];
  await using control = await Control.start();
  const startedAt = performance.now();
  const work = async (client: McpClient) => {
    for (let turn = 0; performance.now() - startedAt < ms; turn += 1) {
      const what = turn % 2 ? 'ping' : 'call';
      const before = threadTime(serverPid);
      const askedAt = performance.now();
      const answered = async () => {
        await ask(client, what);
        return { answeredAt: performance.now(), after: threadTime(serverPid) };
      };
      const [{ answeredAt, after }] = await Promise.all([answered(), control.ask()]);
      const thread = before && after && subtract(after, before);
      const machineMs = Math.max(thread?.delayedMs ?? 0, control.longest(askedAt, answeredAt));
      const times = { atMs: askedAt - startedAt, waitedMs: answeredAt - askedAt, machineMs };
      waits.push({ what, ...times, ...(thread && { ranMs: thread.ranMs }) });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  await Promise.all(clients.map(work));
  for (const client of clients) client.close();
  return waits;
}

function subtract(after: ThreadTime, before: ThreadTime): ThreadTime {
  return { ranMs: after.ranMs - before.ranMs, delayedMs: after.delayedMs - before.delayedMs };
}
