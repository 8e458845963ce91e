import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** How Postgres says that a transaction is committed: type, length, tag. */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

/**
 * Passes connections on to a Postgres on a Unix socket. Of the answers to COMMIT that are asked about, it breaks
 * the connection instead of passing them on: the transaction is made, and nobody is told.
 */
export async function commitCutter(databaseUrl: string, isCut: (count: number) => boolean) {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host') ?? '';
  const sockets = new Set<Socket>();
  let count = 0;
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(join(folder, '.s.PGSQL.5432'));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).once('close', () => to.destroy());
    }
    near.pipe(far);
    far.on('data', (data) => {
      if (data.includes(COMMITTED) && isCut(++count)) {
        cuts += 1;
        far.destroy();
        near.destroy();
      } else near.write(data);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get cuts() {
      return cuts;
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
