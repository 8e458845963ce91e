import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What a server that is only played says to a query: rows by their columns, or nothing, ever. */
export type Answer = readonly Row[] | 'silent';
type Row = Readonly<Record<string, string | boolean | null>>;

export interface ScriptedPostgres {
  readonly url: string;
  /** What each connection asked for from its start, as `-c name=value …`. */
  readonly options: string[];
  /** Every query, in the order of their coming. */
  readonly queries: string[];
  stop(): void;
}

/** Speaks as much of the protocol as it takes to see what a connection asks for, where there is no Postgres. */
export async function scriptedPostgres(
  answer: (query: string, options: string) => Answer,
): Promise<ScriptedPostgres> {
  const [options, queries]: [string[], string[]] = [[], []];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let own = '';
    let parsed = '';
    const reply = (query: string, ends: readonly Buffer[]) => {
      queries.push(query);
      const rows = answer(query, own);
      if (rows !== 'silent') socket.write(Buffer.concat([...tableOf(rows), ...ends]));
    };
    onMessages(socket, (type, body) => {
      if (type === '') {
        own = settingsOf(body).options ?? '';
        options.push(own);
        socket.write(Buffer.concat([message('R', int(0)), READY]));
      } else if (type === 'Q') reply(textOf(body), [READY]);
      else if (type === 'P') parsed = textOf(body.subarray(body.indexOf(0) + 1));
      else if (type === 'B') socket.write(Buffer.concat([message('1'), message('2')]));
      else if (type === 'E') reply(parsed, []);
      else if (type === 'S') socket.write(READY);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://nexus@127.0.0.1:${(server.address() as AddressInfo).port}/nexus`,
    options,
    queries,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The first has no type: its length, the protocol's version, then names and values, each ended by a zero. */
function onMessages(socket: Socket, each: (type: string, body: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  socket.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const at = isFirst ? 0 : 1;
      const end = rest.length < at + 4 ? Number.POSITIVE_INFINITY : at + rest.readInt32BE(at);
      if (rest.length < end) return;
      const type = rest.toString('latin1', 0, at);
      const body = rest.subarray(at + 4, end);
      rest = rest.subarray(end);
      isFirst = false;
      each(type, body);
    }
  });
}

function settingsOf(startup: Buffer): Readonly<Record<string, string>> {
  const words = startup.subarray(4).toString('utf8').split('\0');
  return Object.fromEntries(words.flatMap((name, at) => (at % 2 === 0 ? [[name, words[at + 1] ?? '']] : [])));
}

function textOf(body: Buffer): string {
  return body.toString('utf8', 0, body.indexOf(0));
}

function tableOf(rows: readonly Row[]): Buffer[] {
  const columns = Object.keys(rows[0] ?? {});
  const description = columns.map((name) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      Buffer.alloc(6),
      int(typeof rows[0]?.[name] === 'boolean' ? BOOL : TEXT),
      Buffer.alloc(8),
    ]),
  );
  return [
    message('T', Buffer.concat([short(columns.length), ...description])),
    ...rows.map((row) =>
      message('D', Buffer.concat([short(columns.length), ...columns.map((name) => cell(row[name]))])),
    ),
    message('C', Buffer.from(`SELECT ${rows.length}\0`)),
  ];
}

function cell(value: Row[string] | undefined) {
  if (value === null || value === undefined) return int(-1);
  const text = typeof value === 'boolean' ? (value ? 't' : 'f') : value;
  return Buffer.concat([int(Buffer.byteLength(text)), Buffer.from(text)]);
}

/** The numbers of these types in Postgres. */
const BOOL = 16;
const TEXT = 25;
const READY = message('Z', Buffer.from('I'));

function message(type: string, body = Buffer.alloc(0)) {
  return Buffer.concat([Buffer.from(type), int(body.length + 4), body]);
}

function int(value: number) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function short(value: number) {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
