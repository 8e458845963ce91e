import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { PATIENCE } from '../harness/expert-kill.ts';
import { expertTeam } from '../harness/expert-team.ts';
import { processGroup } from '../harness/processes.ts';
import type { ServerProcess } from '../harness/server-process.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** Far below what a bridge grants a server for its last answers. */
const SOON_MS = 3_000;

async function expectNothingLeft(project: SharedProject, servers: readonly ServerProcess[]): Promise<void> {
  const left = await readdir(project.runtimeDir, { recursive: true });
  expect(left.filter((name) => name.includes('.'))).toEqual([]);
  for (const { pid } of servers) expect(await processGroup(pid)).toEqual([]);
}

verifiesApp('sharing.end', 'ends a bridge with its host, and the server goes on', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const owner = await project.host();
  const bridge = await project.host();
  const called = bridge.session.call('slow_wait', { ms: 500 });
  bridge.session.end();
  expect((await called).result.structuredContent.waitedMs).toBe(500);
  const exit = await bridge.exit();
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.tookMs).toBeLessThan(SOON_MS);
  expect((await owner.session.ask('ping')).result).toEqual({});
});

slowlyVerifiesApp('sharing.end', 'lets the bridges go on when the host of the server goes', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const first = await project.host();
  const bridges = [await project.host(), await project.host()];
  const calls = bridges.map(({ session }) => session.call('slow_wait', { ms: 1000 }));
  await Promise.all(bridges.map(({ session }) => session.ask('ping')));
  first.session.end();
  expect(await first.exit()).toMatchObject({ code: 0, signal: null });
  for (const { result } of await Promise.all(calls)) {
    expect(result.structuredContent).toEqual({ waitedMs: 1000 });
  }
  expect(bridges).toContain(await project.owner());
});

/** Each by which the host of the server goes while another one's call is at work in it. */
const GOES = {
  'with its host': ({ session }) => session.end(),
  'at once': ({ child }) => void child.kill('SIGKILL'),
} as const satisfies Record<string, (owner: ServerProcess) => void>;

for (const [how, go] of Object.entries(GOES)) {
  for (const [by, called] of Object.entries({
    directly: { name: 'orchestrate', args: { task: 'x' } },
    'by use_tool': { name: 'use_tool', args: { tool: 'orchestrate', arguments: { task: 'x' } } },
  })) {
    const shows = how === 'with its host' && by === 'directly' ? verifiesApp : slowlyVerifiesApp;
    shows(
      'sharing.end',
      `answers another host’s call of a run, ${by}, where the server ends ${how}`,
      async () => {
        let isHeld = true;
        await using team = await expertTeam(({ asked }) =>
          isHeld && asked === 'reviewer' ? { hangs: true } : undefined,
        );
        await using project = await shareProject({ env: team.env });
        const owner = await project.host();
        const bridge = await project.host();
        const call = bridge.session.call(called.name, called.args);
        await vi.waitFor(
          () => expect(team.asked.some(({ asked }) => asked === 'reviewer')).toBe(true),
          PATIENCE,
        );
        go(owner);
        await owner.exit();
        isHeld = false;
        const { result } = await call;
        expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
          summary: 'Login is **safe**.',
        });
        expect(team.asked.filter(({ asked }) => asked === 'planner')).toHaveLength(1);
      },
    );
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  slowlyVerifiesApp('sharing.end', `ends a bridge that became the server at ${signal}`, async () => {
    await using project = await shareProject({ slowPlugin: true });
    const first = await project.host();
    const second = await project.host();
    first.child.kill('SIGKILL');
    await first.exit();
    await second.session.ask('ping');
    expect(await project.owner()).toBe(second);
    const open = second.session.call('slow_note', { note: 'open', ms: 60_000 });
    await second.session.ask('ping');
    second.child.kill(signal);
    expect((await open).result._meta['nexus/error'].code).toBe('NEXUS_OUTCOME_UNKNOWN');
    expect(await second.exit()).toMatchObject({ code: signal === 'SIGINT' ? 130 : 0, signal: null });
    await expectNothingLeft(project, [first, second]);
  });
}

slowlyVerifiesApp('sharing.end', 'ends a process that waits for a stopped server', async () => {
  await using project = await shareProject();
  const owner = await project.host();
  owner.child.kill('SIGSTOP');
  const waiting = project.start({ args: ['--verbose'] });
  await vi.waitFor(() => expect(waiting.stderr()).toContain('does not answer'), { timeout: 20_000 });
  waiting.child.kill('SIGTERM');
  expect(await waiting.exit()).toMatchObject({ code: 0, signal: null });
  owner.child.kill('SIGCONT');
  expect((await owner.session.ask('ping')).result).toEqual({});
});

verifiesApp('sharing.end', 'leaves nothing of hosts that go one right after the other', async () => {
  await using project = await shareProject();
  // As long as it takes to find out that the server has gone, to be elected, and to begin to serve.
  for (const laterMs of [0, 30, 60, 120, 240]) {
    const servers = [await project.host(), await project.host()] as const;
    const [first, second] = servers;
    first.session.end();
    await first.exit();
    await sleep(laterMs);
    second.session.end();
    expect(await second.exit()).toMatchObject({ code: 0, signal: null });
    await expectNothingLeft(project, servers);
  }
});

slowlyVerifiesApp('sharing.end', 'leaves nothing behind when the last has ended', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const servers = [];
  for (let count = 0; count < 4; count += 1) servers.push(await project.host());
  // The servers in turn, so that each bridge but the last has been one.
  while ((await project.owners()).length > 0) {
    const owner = await project.owner();
    owner.session.end();
    expect(await owner.exit()).toMatchObject({ code: 0 });
    const alive = servers.filter(({ child }) => child.exitCode === null);
    await Promise.all(alive.map(({ session }) => session.ask('ping')));
  }
  for (const { child } of servers) expect(child.exitCode).toBe(0);
  await expectNothingLeft(project, servers);
});
