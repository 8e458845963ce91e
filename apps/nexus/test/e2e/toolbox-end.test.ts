import { isAlive } from '@nexus/processes';
import { fakeServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { startServer } from '../harness/server-process.ts';
import { openToolbox } from '../harness/toolboxes.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** Within which every process of a killed Nexus is gone: TERM, 2 s, KILL, and a busy machine. */
const GONE_WITHIN_MS = 10_000;

const config = {
  toolboxes: {
    box: {
      description: 'Stays when asked to go.',
      mcpServers: { it: fakeServer({ ignoreEnd: true, ignoreSigterm: true }), other: fakeServer() },
    },
  },
};

for (const how of ['the end of input', 'SIGTERM', 'SIGKILL'] as const) {
  const leavesNothing = async () => {
    await using project = await makeProject({ config });
    await using server = startServer(project);
    await server.session.initialize();
    await openToolbox(server.session, 'box');
    const { result: who } = await server.session.call('box__it__who');
    const { result: fork } = await server.session.call('box__it__fork');
    const { result: other } = await server.session.call('box__other__fork');
    const pids = [who, fork, other].map(({ structuredContent }) => Number(structuredContent.pid));
    expect(pids.every(isAlive)).toBe(true);
    if (how === 'the end of input') server.session.end();
    else server.child.kill(how);
    const { tookMs } = await server.exit();
    expect(tookMs).toBeLessThan(5_000);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), GONE_WITHIN_MS);
  };
  if (how === 'SIGKILL') {
    verifiesApp('toolbox.end', `leaves no server and no grandchild after ${how}`, leavesNothing);
  } else {
    slowlyVerifiesApp('toolbox.end', `leaves no server and no grandchild after ${how}`, leavesNothing);
  }
}

verifiesApp('toolbox.contained', 'names the server that fails, and the others go on', async () => {
  const bad = {
    dies: fakeServer({ exitCode: 3, stderr: 'no licence found' }),
    missing: { command: 'no-such-program-here', args: [] },
  };
  await using project = await makeProject({
    config: {
      toolboxes: {
        ...Object.fromEntries(
          Object.entries(bad).map(([name, server]) => [
            name,
            { description: 'Does not start.', mcpServers: { good: fakeServer(), [name]: server } },
          ]),
        ),
        rubbish: {
          description: 'Prints what is no message.',
          mcpServers: { it: fakeServer({ rubbish: true }) },
        },
        odd: {
          description: 'Lists odd tools.',
          mcpServers: { it: fakeServer({ badTool: true, longName: true }) },
        },
        good: { description: 'Is well.', mcpServers: { it: fakeServer() } },
      },
    },
  });
  await using server = startServer(project);
  const { session } = server;
  await session.initialize();
  for (const [toolbox, said] of [
    ['dies', /no licence found/],
    ['missing', /no-such-program-here/],
  ] as const) {
    const { result } = await session.call('open_toolbox', { toolbox });
    expect(result.structuredContent.faults, toolbox).toMatchObject([{ server: toolbox }]);
    expect(result.structuredContent.faults[0].reason, toolbox).toMatch(said);
    const { result: well } = await session.call(`${toolbox}__good__echo`, { message: 'hi' });
    expect(JSON.stringify(well), toolbox).toContain('hi');
  }
  for (const toolbox of ['rubbish', 'odd', 'good']) await openToolbox(session, toolbox);
  for (const name of ['rubbish__it__echo', 'odd__it__echo', 'good__it__echo']) {
    const { result } = await session.call(name, { message: 'hi' });
    expect(JSON.stringify(result), name).toContain('hi');
  }
  const { result } = await session.ask('tools/list');
  const names = result.tools.map(({ name }: { name: string }) => name);
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(new Set(names).size).toBe(names.length);
  const died = await session.call('good__it__die', {});
  expect(died.result.content[0].text).toMatch(/it.*died as asked/s);
  const { result: other } = await session.call('odd__it__echo', { message: 'unharmed' });
  expect(JSON.stringify(other)).toContain('unharmed');
  await vi.waitFor(async () => {
    const { result: again } = await session.call('good__it__echo', { message: 'back' });
    expect(JSON.stringify(again)).toContain('back');
  }, GONE_WITHIN_MS);
});
