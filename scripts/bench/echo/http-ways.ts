import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHttpSession, postJson } from '../http-client.ts';
import { type At, hostEnvironment, initialize } from '../servers.ts';
import { assertEchoed, type EchoServer, MESSAGE } from './echo-server.ts';
import { end } from './line-ways.ts';

const START_TIMEOUT_MS = 60_000;
const RETRY_MS = 200;
/** Some leave a request without an answer while they start. */
const ATTEMPT_MS = 2_000;

interface PeerProcess extends At {
  /** @param port where it is to listen */
  args(port: number): readonly string[];
  readonly tool: string;
}

/** A peer that serves Streamable HTTP at /mcp. */
export async function overStreamableHttp(peer: PeerProcess): Promise<EchoServer> {
  const { child, port } = await start(peer);
  const url = `http://127.0.0.1:${port}/mcp`;
  const session = await eventually(() => openHttpSession(url));
  return {
    echo: async () => assertEchoed(await session.callTool(peer.tool, { message: MESSAGE })),
    pid: Number(child.pid),
    async stop() {
      session.close();
      await end(child);
    },
  };
}

/** A peer that serves the older HTTP with SSE: a stream of answers, and a place to post requests to. */
export async function overSse(peer: PeerProcess): Promise<EchoServer> {
  const { child, port } = await start(peer);
  const origin = `http://127.0.0.1:${port}`;
  // It listens before its servers are there, and leaves what comes too early without an answer.
  const { echo, close } = await eventually(() => openSseSession(origin, peer.tool));
  return {
    echo,
    pid: Number(child.pid),
    async stop() {
      close();
      await end(child);
    },
  };
}

/** A session that has echoed once. */
async function openSseSession(origin: string, tool: string) {
  const agent = new Agent({ keepAlive: true });
  const stream = await openStream(`${origin}/mcp`);
  const { endpoint, messages } = await readStream(stream);
  const posts = new PassThrough();
  createInterface({ input: posts }).on('line', (line) => void postJson(`${origin}${endpoint}`, agent, line));
  const request = await initialize(messages, posts);
  const call = { name: tool, arguments: { message: MESSAGE } };
  const echo = async () => assertEchoed(JSON.stringify(await request('tools/call', call)));
  await echo();
  return {
    echo,
    close() {
      stream.destroy();
      agent.destroy();
    },
  };
}

async function start({ args, cwd, env }: PeerProcess) {
  const port = await freePort();
  const child = spawn(process.execPath, args(port), {
    cwd,
    env: { ...hostEnvironment(), ...env },
    stdio: 'ignore',
  });
  return { child, port };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function eventually<Value>(attempt: () => Promise<Value>): Promise<Value> {
  const until = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await Promise.race([attempt(), late()]);
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function late(): Promise<never> {
  await sleep(ATTEMPT_MS, undefined, { ref: false });
  throw new Error(`no answer within ${ATTEMPT_MS} ms`);
}

function openStream(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { accept: 'text/event-stream' } }, resolve).on('error', reject);
  });
}

/** The place to post to, which the stream's first event names; each further event's data as a line. */
async function readStream(stream: IncomingMessage) {
  const messages = new PassThrough();
  const endpoint = await new Promise<string>((resolve) => {
    let event = '';
    createInterface({ input: stream }).on('line', (line) => {
      if (line.startsWith('event:')) event = line.slice('event:'.length).trim();
      if (!line.startsWith('data:')) return;
      const data = line.slice('data:'.length).trim();
      if (event === 'endpoint') resolve(data);
      else messages.write(`${data}\n`);
    });
  });
  return { endpoint, messages };
}
