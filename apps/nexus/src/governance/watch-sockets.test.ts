import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { watchSockets } from './watch-sockets.ts';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).map((child) => child.kill('SIGKILL')));

/** A program whose child connects there, over IPv4 and over IPv6 that stands for it, and stays connected. */
async function connecting(port: number): Promise<number> {
  const inner = `
    const net = require('node:net');
    net.connect(${port}, '127.0.0.1', () => net.connect(${port}, '::ffff:127.0.0.1', () => console.log('there')));
    setTimeout(() => {}, 30_000);`;
  const outer = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
  const child = spawn(process.execPath, ['-e', outer], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push({ kill: () => process.kill(-(child.pid ?? 0), 'SIGKILL') } as never);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

it.runIf(process.platform === 'linux')('sees to whom the children of a process connect', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pid = await connecting(port);
  expect(watchSockets(pid, () => false)?.stop()).toEqual([`127.0.0.1 port ${port}`]);
  expect(watchSockets(pid)?.stop()).toEqual([]);
  server.close();
});
