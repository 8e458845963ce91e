import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Channel } from '@nexus/core';
import { rawClient, testTransport } from '@nexus/testing';
import { bundleProgram } from '../../../../vitest.programs.ts';
import type { FromProcess, ToProcess } from '../../test/programs/stdio-process-protocol.ts';

const program = await bundleProgram(new URL('../../test/programs/stdio-process.ts', import.meta.url));

testTransport('stdio of a real process', async () => {
  const child = fork(program, { stdio: ['pipe', 'pipe', 'ignore', 'ipc'] });
  await once(child, 'message');
  return {
    server: drive(child),
    client: rawClient({ readable: child.stdout as Readable, writable: child.stdin as Writable }),
    async dispose() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
});

/** The channel inside the process, as if it were here. */
function drive(child: ChildProcess): Channel {
  const finished = new Map<number, () => void>();
  let handlers: Parameters<Channel['start']>[0] | undefined;
  let calls = 0;
  let hasEnded = false;
  const order = (order: ToProcess) => child.send(order);
  const finish = (make: (call: number) => ToProcess) =>
    new Promise<void>((resolve) => {
      calls += 1;
      finished.set(calls, resolve);
      order(make(calls));
    });
  child.on('message', (report: FromProcess) => {
    if (report.event === 'message') handlers?.message(report.message);
    if (report.event === 'closed') handlers?.closed();
    if (report.event === 'done') finished.get(report.call)?.();
  });
  return {
    kind: 'stdio',
    trust: 'user',
    start(given) {
      handlers = given;
      order({ do: 'start' });
    },
    // After the close there is no process to ask; it sent and closed once more itself.
    send: async (message) => {
      if (!hasEnded) await finish((call) => ({ do: 'send', call, message }));
    },
    close: async () => {
      if (!hasEnded) await finish((call) => ({ do: 'close', call }));
      hasEnded = true;
    },
  };
}
