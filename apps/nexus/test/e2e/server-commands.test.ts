import { expect, vi } from 'vitest';
import { bin } from '../harness/app.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function serve(project: SharedProject) {
  const server = project.start({ command: process.execPath, args: [bin, 'serve'] });
  await vi.waitFor(() => expect(server.stderr()).toMatch(/^Nexus serves \d+ tools/), { timeout: 20_000 });
  return server;
}

verifiesApp('command.server', 'serves without a host, and says when a server runs already', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const server = await serve(project);
  const bridge = await project.host();
  expect((await bridge.session.call('slow_echo', { text: 'x' })).result.structuredContent.text).toBe('x');
  expect(await project.owner()).toBe(server);
  const second = await runNexus(project, ['serve']);
  expect(second).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('runs for this project') });
  server.child.kill('SIGINT');
  expect(await server.exit()).toMatchObject({ code: 130 });
  expect((await bridge.session.ask('ping')).result).toEqual({});
});

slowlyVerifiesApp('command.server', 'shows the server and who uses it', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const owner = await project.host();
  const bridge = await project.host();
  void bridge.session.call('slow_wait').catch(() => {});
  await bridge.session.ask('ping');
  const { exitCode, stdout } = await runNexus(project, ['status', '--json']);
  expect(exitCode).toBe(0);
  const client = { name: 'e2e', version: '1.0.0' };
  const [socket] = await project.sockets();
  expect(JSON.parse(stdout)).toMatchObject({
    owner: { pid: owner.pid, version: expect.stringMatching(/^\d/), startedAt: ISO, socket },
    sessions: [
      { id: expect.any(String), client, since: ISO, inFlight: 0 },
      { id: expect.any(String), client, since: ISO, inFlight: 1 },
    ],
    downstreams: [],
  });
  const plain = await runNexus(project, ['status']);
  expect(plain.stdout).toContain(`process ${owner.pid}, started `);
  expect(plain.stdout).toMatch(/^2 sessions:\n {2}e2e 1\.0\.0, for .*\n {2}e2e .*, 1 call in flight$/m);
});

slowlyVerifiesApp('command.server', 'exits with 3 where no server runs', async () => {
  await using project = await shareProject();
  expect(await runNexus(project, ['status'])).toMatchObject({ exitCode: 3, stdout: '' });
  expect(await runNexus(project, ['status', '--json'])).toMatchObject({
    exitCode: 3,
    stdout: JSON.stringify({ running: false }, null, 2),
  });
  expect(await runNexus(project, ['stop'])).toMatchObject({ exitCode: 3, stdout: '' });
  const client = project.start({ command: process.execPath, args: [bin, '--mode=client'] });
  expect(await client.exit()).toMatchObject({ code: 1 });
  expect(client.stderr()).toContain('start one by `nexus serve`');
});

verifiesApp('command.server', 'ends the server, and the processes that share it go on', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const server = await serve(project);
  const bridge = await project.host();
  const called = bridge.session.call('slow_wait', { ms: 500 });
  await bridge.session.ask('ping');
  const { exitCode, stdout } = await runNexus(project, ['stop']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Process ${server.pid} has ended.` });
  expect(await server.exit()).toMatchObject({ code: 0 });
  expect((await called).result.structuredContent.waitedMs).toBe(500);
  expect((await bridge.session.ask('ping')).result).toEqual({});
  expect(await project.owner()).toBe(bridge);
});

slowlyVerifiesApp('command.server', 'names the process of a server that does not answer', async () => {
  await using project = await shareProject();
  const owner = await project.host();
  owner.child.kill('SIGSTOP');
  const ran = await Promise.all(['status', 'stop'].map((command) => runNexus(project, [command])));
  for (const { exitCode, stderr } of ran) {
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`process ${owner.pid}, did not answer`);
  }
});

slowlyVerifiesApp('command.server', 'only joins in client mode, and waits for the next server', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const first = await serve(project);
  const client = await project.host({ command: process.execPath, args: [bin, '--mode=client'] });
  first.child.kill('SIGKILL');
  await first.exit();
  const called = client.session.call('slow_echo', { text: 'later' });
  const next = await serve(project);
  expect((await called).result.structuredContent.text).toBe('later');
  expect(await project.owner()).toBe(next);
});

slowlyVerifiesApp('command.server', 'is what the command line talks to', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const owner = await project.host();
  await runNexus(project, ['call', 'slow_touch']);
  const { stdout } = await runNexus(project, ['call', 'slow_touch']);
  // The count lives in the server's memory alone.
  expect(JSON.parse(stdout)).toEqual({ count: 2 });
  const listed = await runNexus(project, ['tools', '--json']);
  expect(JSON.parse(listed.stdout)).toEqual((await owner.session.ask('tools/list')).result.tools);
});

verifiesApp('command.logs', 'shows what a server has logged, by level and by what it is about', async () => {
  await using project = await makeProject({ env: { NEXUS_LOG_LEVEL: 'debug' } });
  {
    await using server = startServer(project);
    await server.session.initialize();
    await server.session.call('memory_stats');
    server.child.stdin?.end();
    await server.exit();
  }
  const all = await runNexus(project, ['logs', '--limit', '200']);
  expect(all.stdout).toMatch(/^\d\d:\d\d:\d\d debug .*memory_stats/m);
  expect((await runNexus(project, ['logs', '--limit', '1'])).stdout.split('\n')).toHaveLength(1);
  expect((await runNexus(project, ['logs', '--level', 'error'])).stdout).toBe(
    'Nothing that was logged fits.',
  );
  expect((await runNexus(project, ['logs', '--server', 'none'])).stdout).toBe(
    'Nothing that was logged fits.',
  );
  const [record] = (await runNexus(project, ['logs', '--json'])).stdout.split('\n');
  expect(JSON.parse(record ?? '')).toMatchObject({ level: 20, pid: expect.any(Number) });
  expect(await runNexus(project, ['logs', '--level', 'loud'])).toMatchObject({ exitCode: 1 });
});
