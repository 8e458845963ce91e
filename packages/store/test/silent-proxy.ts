import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** Passes connections on to a Postgres on a Unix socket, until nothing goes through any more, in silence. */
export async function silentProxy(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host') ?? '';
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(join(folder, '.s.PGSQL.5432'));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).once('close', () => to.destroy());
      from.on('data', (data) => void (isSilent || to.write(data)));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    fallSilent() {
      isSilent = true;
    },
    speakAgain() {
      isSilent = false;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
