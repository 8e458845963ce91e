import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Passes bytes on to a server of this machine, until told to break every connection. */
export async function startBreakableProxy(target: string) {
  const sockets = new Set<Socket>();
  const { port } = new URL(target);
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: target.replace(port, String((server.address() as AddressInfo).port)),
    breakAll,
    async [Symbol.asyncDispose]() {
      server.close();
      breakAll();
      await once(server, 'close');
    },
  };
}
