import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createUnproven } from './unproven.ts';

it('puts out the connection that has been silent longest, and none that has shown who it is', async () => {
  const unproven = createUnproven(2);
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket);
    unproven.add(socket);
    if (accepted.length === 1) unproven.prove(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients: Socket[] = [];
  for (let count = 0; count < 4; count += 1) {
    const client = connect(port, '127.0.0.1');
    clients.push(client);
    await once(client, 'connect');
    await expect.poll(() => accepted.length).toBe(count + 1);
  }
  expect(accepted.map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]);
  for (const client of clients) client.destroy();
  server.close();
});
