import { joinOrClaim, meetingPoint } from '@nexus/transports/ipc';
import { expect } from 'vitest';
import { boot } from '../../src/boot/boot.ts';
import { loadConfig } from '../../src/loaded-config/load-config.ts';
import { createLog } from '../../src/log.ts';
import { buildId } from '../../src/version.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

/** The server from source in this process, on the socket of the project: plugins can't register late, a test can. */
async function serveHere(project: SharedProject) {
  const { root, dataDir, env } = project;
  const identity = {
    projectRoot: root,
    configPath: project.path('nexus.config.json'),
    dataDir,
    buildId: buildId(),
  };
  const log = createLog('error');
  const joined = await joinOrClaim({
    point: await meetingPoint(identity, env),
    session: { sessionId: 'here', isResumed: false, environment: {} },
    log,
    signal: AbortSignal.timeout(10_000),
  });
  if (joined.role !== 'claimed') throw new Error('another process serves');
  const nexus = await boot(await loadConfig({ cwd: root, env }), log);
  const owner = await joined.claim.listen({
    accept: ({ channel, ...visit }) => void nexus.serve(channel, visit),
    answer: async () => ({}),
  });
  return {
    registry: nexus.registry,
    async [Symbol.asyncDispose]() {
      await owner.retire();
      await nexus.stop();
      await owner.close();
    },
  };
}

verifiesApp('sharing.late-tool', 'tells every session of a tool that comes and goes', async () => {
  await using project = await shareProject({ config: {} });
  await using here = await serveHere(project);
  const bridges = await Promise.all(Array.from({ length: 3 }, () => project.host()));
  const changes = () =>
    bridges.map(
      ({ session }) =>
        session.received.filter(({ method }) => method === 'notifications/tools/list_changed').length,
    );
  const names = async () => {
    const answers = await Promise.all(bridges.map(({ session }) => session.ask('tools/list')));
    return answers.map(({ result }) => result.tools.map((tool: { name: string }) => tool.name));
  };
  const before = await names();
  expect(changes()).toEqual([0, 0, 0]);

  const known = here.registry.get('bus_status');
  if (!known) throw new Error('bus_status is not served');
  here.registry.register({
    ...known,
    name: 'late_status',
    listing: { ...known.listing, name: 'late_status' },
  });
  const after = await names();
  expect(changes()).toEqual([1, 1, 1]);
  for (const [at, list] of after.entries()) expect(list).toEqual([...before[at], 'late_status'].sort());

  here.registry.unregister('late_status');
  expect(await names()).toEqual(before);
  expect(changes()).toEqual([2, 2, 2]);
  // No process of the bridges has to outlive the server of this one.
  for (const { child } of bridges) child.kill('SIGKILL');
});
