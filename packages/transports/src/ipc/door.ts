import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Channel } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import { createDescriptorCheck } from '../descriptors.ts';
import { jsonLinesChannel } from '../json-lines/index.ts';
import { createUnproven } from '../unproven.ts';
import { readFirstLine } from './first-line.ts';
import {
  HELLO_VERSION,
  type HelloReply,
  MAX_HELLO_BYTES,
  type Question,
  type QuestionDetails,
  readHello,
} from './hello.ts';
import type { Identity } from './identity.ts';

/** Long for a process of the same machine, so that a busy one is not turned away. */
const HELLO_TIMEOUT_MS = 30_000;
/** Descriptors that no session takes. */
const KEPT_FREE = 32;
/** Connections that have not said who they are: a process of this user sends its hello at once. */
const MAX_SILENT = 32;

export interface OwnerHandlers {
  /** Another process brings a host's session. */
  accept(visitor: Visitor): void;
  /** Answers `nexus status` and the like. */
  answer(question: Question, details: QuestionDetails): Promise<Readonly<Record<string, unknown>>>;
  readonly maxMessageBytes?: number | undefined;
}

export interface Visitor {
  readonly channel: Channel;
  readonly sessionId: string;
  /** True when an earlier owner served this session: what it had opened is to be restored. */
  readonly isResumed: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly pid: number;
}

interface DoorOptions extends OwnerHandlers {
  readonly socketPath: string;
  readonly token: string;
  readonly identity: Identity;
  readonly log: Log;
  /** Of this process where it is not given. */
  readonly openFilesLimit?: () => number;
}

export interface Door {
  /** Lets nobody in any more; who is in, stays. */
  shut(): void;
  disconnect(): Promise<void>;
}

/** Listens on the socket and lets in whoever says the right hello. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const sockets = new Set<Socket>();
  const unproven = createUnproven(MAX_SILENT);
  const lackOf = createDescriptorCheck(options.log, KEPT_FREE, options.openFilesLimit);
  // Half open, so that a host that has stopped asking still gets its answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    unproven.add(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', (error) => options.log.debug('a local connection failed', { reason: error.message }));
    void receive(socket, options, {
      heard: () => unproven.prove(socket),
      lackOf: (each) => lackOf(each, unproven.makeRoom),
    });
  });
  listenPrivately(server, options.socketPath);
  await once(server, 'listening');
  const closed = once(server, 'close');
  return {
    shut: () => void server.close(),
    async disconnect() {
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The socket is there from `listen` on, so its mode is set by the umask and not by a later chmod. */
function listenPrivately(server: Server, path: string): void {
  const umask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(umask);
  }
}

interface Receiving {
  /** Once the connection has said a right hello. */
  heard(): void;
  /** Why there is no room for a session, though one that says nothing would make it; a question is answered and gone, so the server can always be stopped. */
  lackOf(socket: Socket): string | undefined;
}

async function receive(socket: Socket, options: DoorOptions, { heard, lackOf }: Receiving): Promise<void> {
  const { log } = options;
  try {
    const signal = AbortSignal.timeout(HELLO_TIMEOUT_MS);
    const line = await readFirstLine(socket, { maxBytes: MAX_HELLO_BYTES, signal });
    const read = readHello(line, options);
    if ('fault' in read) {
      log.warn('turned a local connection away', { reason: read.fault });
      socket.end(reply({ nexus: HELLO_VERSION, ok: false, reason: read.fault }));
      return;
    }
    heard();
    const { hello } = read;
    if (hello.purpose !== 'session') {
      const answer = await options.answer(hello.purpose, hello.details ?? {});
      socket.end(reply({ nexus: HELLO_VERSION, ok: true, answer }));
      return;
    }
    const lack = lackOf(socket);
    if (lack !== undefined) return void socket.end(reply({ nexus: HELLO_VERSION, ok: false, reason: lack }));
    const { maxMessageBytes } = options;
    const limit = maxMessageBytes === undefined ? {} : { maxMessageBytes };
    socket.write(reply({ nexus: HELLO_VERSION, ok: true, ...limit }));
    const channel = jsonLinesChannel({
      kind: 'ipc',
      readable: socket,
      writable: socket,
      log,
      maxMessageBytes,
    });
    options.accept({ channel, pid: hello.pid, ...hello.session });
  } catch (error) {
    log.debug('a local connection came to nothing', { reason: String(error) });
    socket.destroy();
  }
}

function reply(message: HelloReply): string {
  return `${JSON.stringify(message)}\n`;
}
