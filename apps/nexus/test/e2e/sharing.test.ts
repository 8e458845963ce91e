import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ServerProcess } from '../harness/server-process.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const;

verifiesApp('sharing.same', 'lists the same through a bridge, key by key in the same order', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const owner = await project.host();
  const bridge = await project.host();
  expect(await project.owner()).toBe(owner);
  for (const method of LISTS) {
    const own = await owner.session.ask(method);
    const bridged = await bridge.session.ask(method);
    expect(own.error, method).toBeUndefined();
    // As text, since equality of objects overlooks the order of keys.
    expect(JSON.stringify(bridged.result), method).toBe(JSON.stringify(own.result));
  }
  const { result } = await bridge.session.ask('tools/list');
  expect(result.tools.length).toBeGreaterThan(20);
});

verifiesApp('sharing.same', 'gives each process a session of its own', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const [owner, ...bridges] = [await project.host(), await project.host(), await project.host()];
  await bridges[0]?.session.ask('logging/setLevel', { level: 'info' });
  for (const { session } of bridges) await session.call('slow_speak');
  const logged = [owner, ...bridges].map(
    ({ session }) => session.received.filter(({ method }) => method === 'notifications/message').length,
  );
  expect(logged).toEqual([0, 3, 0]);
});

/** Each time after the last server and all its bridges were killed. */
async function electsOne({ processes, rounds }: { processes: number; rounds: number }): Promise<void> {
  await using project = await shareProject({ slowPlugin: true });
  let owner = await project.host();
  let bridges: readonly ServerProcess[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The server last, or the others would elect a successor that leaves a socket of its own.
    for (const server of [...bridges, owner]) {
      server.child.kill('SIGKILL');
      await server.exit();
    }
    expect(await project.sockets()).toHaveLength(1);
    const hosts = await Promise.all(Array.from({ length: processes }, () => project.host()));
    const answers = await Promise.all(hosts.map(({ session }) => session.call('slow_echo', { text: 'x' })));
    for (const { result } of answers) expect(result.structuredContent.text).toBe('x');
    expect(await project.owners()).toHaveLength(1);
    owner = await project.owner();
    bridges = hosts.filter((host) => host !== owner);
    expect(bridges).toHaveLength(processes - 1);
  }
}

verifiesApp('sharing.election', 'has one server when five processes start on a dead one’s socket', () =>
  electsOne({ processes: 5, rounds: 1 }),
);

slowlyVerifiesApp('sharing.election', 'has one server when 16 processes start on a dead one’s socket', () =>
  electsOne({ processes: 16, rounds: 3 }),
);

verifiesApp('sharing.slow', 'waits for a server that is stopped, and nobody takes over', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const owner = await project.host();
  const bridge = await project.host();
  owner.child.kill('SIGSTOP');
  const late = project.start();
  const answers = [bridge.session.call('slow_echo', { text: 'bridged' }), late.session.initialize()];
  const first = await Promise.race([sleep(1500, 'nobody'), ...answers]);
  expect(first).toBe('nobody');
  expect(await project.owners()).toEqual([owner.pid]);
  owner.child.kill('SIGCONT');
  const [echoed, initialized] = await Promise.all(answers);
  expect(echoed?.result.structuredContent.text).toBe('bridged');
  expect(initialized?.result.serverInfo.name).toBe('nexus');
  expect(await project.owners()).toEqual([owner.pid]);
});
