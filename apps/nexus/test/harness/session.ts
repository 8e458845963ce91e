import type { Readable, Writable } from 'node:stream';
import { assertFits } from './fits-schema.ts';

/** One JSON-RPC message, as it came. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly error?: { readonly code: number; readonly message: string; readonly data?: any };
}

type Params = Readonly<Record<string, unknown>>;

/** The bare protocol from a client's side: nothing is checked, corrected or retried on the way. */
export interface HostSession {
  /** Everything that came, in order. */
  readonly received: readonly Message[];
  /** One line, without its newline. */
  sendLine(line: string | Uint8Array): void;
  send(message: Params): void;
  /** The whole answer, result or error. */
  ask(method: string, params?: Params, id?: string | number): Promise<Message>;
  notify(method: string, params?: Params): void;
  /** `tools/call`; `also` goes beside name and arguments. */
  call(name: string, args?: Params, also?: Params): Promise<Message>;
  /** The first message, come or to come, that passes; rejects when the server closes before. */
  waitFor(passes: (message: Message) => boolean): Promise<Message>;
  /** Answers requests of the server's. */
  onRequest(method: string, answer: (params: unknown) => Params | Promise<Params>): void;
  /** @param protocolVersion the newest by default */
  initialize(capabilities?: Params, protocolVersion?: string): Promise<Message>;
  /** No more requests will come. */
  end(): void;
}

interface Waiter {
  passes(message: Message): boolean;
  resolve(message: Message): void;
  reject(error: Error): void;
}

/** @param options.isForeign the server is not Nexus, whose answers are held to the official SDK's schemas */
export function openSession(
  readable: Readable,
  writable: Writable,
  { isForeign = false }: { isForeign?: boolean } = {},
): HostSession {
  const received: Message[] = [];
  const waiting = new Set<Waiter>();
  const answers = new Map<string, (params: unknown) => Params | Promise<Params>>();
  let isGone = false;
  let nextId = 1;

  // A server that has exited takes no more; the test learns of that by its answers.
  writable.on('error', () => {});
  void readLines(readable, (line) => {
    const message = JSON.parse(line) as Message;
    received.push(message);
    if (message.method !== undefined && message.id !== undefined) {
      const answer = answers.get(message.method);
      if (answer) void reply(message.id, answer(message.params));
    }
    for (const waiter of waiting) {
      if (!waiter.passes(message)) continue;
      waiting.delete(waiter);
      waiter.resolve(message);
    }
  })
    .catch(() => {}) // A stream that breaks off has ended, too.
    .finally(() => {
      isGone = true;
      for (const waiter of waiting) waiter.reject(goneError());
    });

  function sendLine(line: string | Uint8Array): void {
    writable.write(line);
    writable.write('\n');
  }
  const send = (message: Params) => sendLine(JSON.stringify(message));

  async function reply(id: Message['id'], answer: Params | Promise<Params>): Promise<void> {
    send({ jsonrpc: '2.0', id, result: await answer });
  }

  function waitFor(passes: (message: Message) => boolean): Promise<Message> {
    const past = received.find(passes);
    if (past) return Promise.resolve(past);
    return new Promise((resolve, reject) => {
      if (isGone) reject(goneError());
      else waiting.add({ passes, resolve, reject });
    });
  }

  async function ask(method: string, params?: Params, id: string | number = `e2e-${nextId++}`) {
    send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
    const answer = await waitFor((message) => message.id === id && message.method === undefined);
    if (!isForeign) assertFits(method, answer);
    return answer;
  }

  const notify = (method: string, params?: Params) =>
    send({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });

  return {
    received,
    sendLine,
    send,
    ask,
    notify,
    waitFor,
    call: (name, args = {}, also = {}) => ask('tools/call', { name, arguments: args, ...also }),
    onRequest: (method, answer) => void answers.set(method, answer),
    async initialize(capabilities = {}, protocolVersion = '2025-11-25') {
      const answer = await ask('initialize', {
        protocolVersion,
        capabilities,
        clientInfo: { name: 'e2e', version: '1.0.0' },
      });
      notify('notifications/initialized');
      return answer;
    },
    end: () => void writable.end(),
  };
}

function goneError(): Error {
  return new Error('the server closed before it sent that');
}

async function readLines(readable: Readable, take: (line: string) => void): Promise<void> {
  let parts: string[] = [];
  for await (const chunk of readable.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = chunk.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      take(parts.join('') + line);
      parts = [];
    }
    parts.push(last);
  }
}
