import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createUnproven, type Unproven } from './unproven.ts';

/** In the place of the time that a connection has to speak, and past it. */
const ITS_TIME_MS = 50;
const LATER_MS = 200;

async function connections(unproven: Unproven, accept: (socket: Socket, at: number) => void = () => {}) {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket);
    unproven.add(socket);
    accept(socket, accepted.length);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients: Socket[] = [];
  return {
    destroyed: () => accepted.map(({ destroyed }) => destroyed),
    async connect() {
      const client = connect(port, '127.0.0.1');
      client.on('error', () => {});
      clients.push(client);
      const before = accepted.length;
      await once(client, 'connect');
      await expect.poll(() => accepted.length).toBe(before + 1);
    },
    [Symbol.dispose]() {
      for (const client of clients) client.destroy();
      server.close();
    },
  };
}

it('puts out the connection that has been silent longest, and none that has shown who it is', async () => {
  const unproven = createUnproven(2, { itsTimeMs: ITS_TIME_MS });
  using ways = await connections(unproven, (socket, at) => {
    if (at === 1) unproven.prove(socket);
  });
  for (let count = 0; count < 3; count += 1) await ways.connect();
  await sleep(LATER_MS);
  await ways.connect();
  expect(ways.destroyed()).toEqual([false, true, false, false]);
  expect(unproven.makeRoom()).toBe(true);
  expect(ways.destroyed()).toEqual([false, true, true, false]);
});

it('puts out none before it has had its time to speak, and takes no more than so many times as many', async () => {
  const unproven = createUnproven(2, { itsTimeMs: 60_000, crowd: 4 });
  using ways = await connections(unproven);
  for (let count = 0; count < 9; count += 1) await ways.connect();
  expect(ways.destroyed()).toEqual([...Array(8).fill(false), true]);
  expect(unproven.makeRoom()).toBe(false);
});

it('counts no time in which the process heard nobody', async () => {
  const unproven = createUnproven(1, { itsTimeMs: ITS_TIME_MS });
  using ways = await connections(unproven);
  await ways.connect();
  const until = performance.now() + LATER_MS;
  while (performance.now() < until);
  expect(unproven.makeRoom()).toBe(false);
  await sleep(LATER_MS);
  expect(unproven.makeRoom()).toBe(true);
});

it('holds no more than it should once they have had their time', async () => {
  const unproven = createUnproven(2, { itsTimeMs: LATER_MS, crowd: 4 });
  using ways = await connections(unproven);
  for (let count = 0; count < 5; count += 1) await ways.connect();
  await expect.poll(() => ways.destroyed().filter(Boolean).length).toBe(3);
  expect(ways.destroyed()).toEqual([true, true, true, false, false]);
});
