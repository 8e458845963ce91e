import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { auditEvents } from '../harness/audit-events.ts';
import type { HostSession } from '../harness/session.ts';
import { shareProject } from '../harness/shared-project.ts';
import { openToolbox } from '../harness/toolboxes.ts';
import { verifiesApp } from '../harness/verifies.ts';

const box = { description: 'One server.', mcpServers: { it: fakeServer() } };

async function toolNames(session: HostSession): Promise<string[]> {
  const { result } = await session.ask('tools/list');
  return result.tools.map(({ name }: { name: string }) => name);
}

async function processOf(session: HostSession, variables: string[] = []) {
  const { result } = await session.call('box__it__who', { variables });
  return result.structuredContent as { pid: number; env: Record<string, string | null> };
}

verifiesApp(
  'toolbox.shared',
  'has one process for ten opens at once, and shows each session its own',
  async () => {
    await using project = await shareProject({ config: { toolboxes: { box } } });
    const hosts = [await project.host(), await project.host(), await project.host()];
    const [first, second, third] = hosts.map(({ session }) => session) as [
      HostSession,
      HostSession,
      HostSession,
    ];
    const opens = Array.from({ length: 10 }, (_, index) =>
      openToolbox(index % 2 === 0 ? first : second, 'box'),
    );
    await Promise.all(opens);
    expect((await processOf(first)).pid).toBe((await processOf(second)).pid);
    expect(await toolNames(first)).toContain('box__it__echo');
    expect(await toolNames(third)).not.toContain('box__it__echo');
    await first.waitFor(({ method }) => method === 'notifications/tools/list_changed');
    expect(third.received.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(false);
    await first.call('close_toolbox', { toolbox: 'box' });
    expect(await toolNames(first)).not.toContain('box__it__echo');
    expect(await toolNames(second)).toContain('box__it__echo');
  },
);

verifiesApp('toolbox.environment', 'gives each of two hosts its own value', async () => {
  const env = { TEAM: '${TEAM}', API_KEY: 'k3y-of-the-team' };
  const server = { ...fakeServer(), env };
  const config = { toolboxes: { box: { description: 'One server.', mcpServers: { it: server } } } };
  await using project = await shareProject({ config });
  const [red, alsoRed, blue] = [
    await project.host({ env: { TEAM: 'red' } }),
    await project.host({ env: { TEAM: 'red' } }),
    await project.host({ env: { TEAM: 'blue' } }),
  ].map(({ session }) => session) as [HostSession, HostSession, HostSession];
  await Promise.all([red, alsoRed, blue].map((session) => openToolbox(session, 'box')));
  const [a, b, c] = await Promise.all([red, alsoRed, blue].map((each) => processOf(each, ['TEAM'])));
  expect([a?.env.TEAM, b?.env.TEAM, c?.env.TEAM]).toEqual(['red', 'red', 'blue']);
  expect(a?.pid).toBe(b?.pid);
  expect(a?.pid).not.toBe(c?.pid);
  expect(await auditEvents(project, 'secret.used')).toEqual([{ name: 'API_KEY', by: 'server box/it' }]);
});

verifiesApp(
  'toolbox.fail-over',
  'lists and calls an open toolbox’s tools after the server was killed',
  async () => {
    await using project = await shareProject({ config: { toolboxes: { box } } });
    await project.host();
    const { session } = await project.host();
    await openToolbox(session, 'box');
    const before = await processOf(session);
    const owner = await project.owner();
    owner.child.kill('SIGKILL');
    await owner.exit();
    expect(await toolNames(session)).toContain('box__it__echo');
    const { result } = await session.call('box__it__echo', { message: 'still here' });
    expect(JSON.stringify(result)).toContain('still here');
    expect((await processOf(session)).pid).not.toBe(before.pid);
  },
);
