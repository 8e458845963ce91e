import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Members } from '@nexus/core/json-rpc';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Members;
  readonly result?: Members;
  readonly error?: Members;
}

export type StdioServer = ReturnType<typeof startStdioServer>;

/** A stdio MCP server in a process of its own, spoken to message by message. */
export function startStdioServer({ command, args }: { command: string; args: readonly string[] }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const waiting = new Map<unknown, (message: Message) => void>();
  const notifications: Message[] = [];
  const rubbish: string[] = [];
  const send = (message: Members) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let rest = '';

  function take({ id, method, params = {}, ...answer }: Message) {
    if (method === undefined) waiting.get(id)?.(answer);
    else if (id === undefined) notifications.push({ method, params });
    else send({ id, result: server.answer(method, params) });
  }

  function read(line: string) {
    try {
      take(JSON.parse(line));
    } catch {
      rubbish.push(line);
    }
  }

  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(read);
  });
  // A server that died first; what a test sees is its exit code.
  child.stdin.on('error', () => {});

  const server = {
    pid: child.pid,
    /** The id of the request sent last. */
    lastId: 0,
    /** Answers the server's own requests. */
    answer: (_method: string, _params: Members): Members => ({}),
    notifications,
    /** Lines on stdout that are no messages. */
    rubbish,
    /** The exit code; null when a signal ended it. */
    exited,
    /** Rejects with the server's JSON-RPC error object; never settles when the server dies first. */
    request(method: string, params: Members = {}): Promise<Members> {
      server.lastId += 1;
      const id = server.lastId;
      send({ id, method, params });
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ result, error }) => (result ? resolve(result) : reject(error)));
      });
    },
    notify: (method: string, params: Members) => send({ method, params }),
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
  return server;
}
