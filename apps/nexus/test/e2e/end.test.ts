import { expect, vi } from 'vitest';
import { endlessSearch, makeEndlessProject, ripgrepRuns } from '../harness/endless-search.ts';
import { processGroup } from '../harness/processes.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** The promise. */
const END_MS = 5_000;
/** What a loaded machine may add to it. */
const SLACK_MS = 2_000;

async function expectEnd(server: ServerProcess, begin: () => void, code: number): Promise<void> {
  const since = Date.now();
  begin();
  const exit = await server.exit(since);
  expect(exit).toMatchObject({ code, signal: null });
  expect(exit.tookMs).toBeLessThan(END_MS + SLACK_MS);
  await vi.waitFor(async () => expect(await processGroup(server.pid)).toEqual([]), { timeout: 5_000 });
}

async function startReady(project: Project): Promise<ServerProcess> {
  const server = startServer(project);
  await server.session.initialize();
  return server;
}

const ways = [
  { name: 'the end of stdin', id: 'end.stdin', begin: (server) => server.session.end(), code: 0 },
  { name: 'SIGTERM', id: 'end.signal', begin: (server) => void server.child.kill('SIGTERM'), code: 0 },
  { name: 'SIGINT', id: 'end.signal', begin: (server) => void server.child.kill('SIGINT'), code: 130 },
] as const satisfies readonly {
  name: string;
  id: 'end.stdin' | 'end.signal';
  begin(server: ServerProcess): void;
  code: number;
}[];

for (const { name, id, begin, code } of ways) {
  verifiesApp(id, `ends at ${name} when idle`, async () => {
    await using project = await makeProject();
    await using server = await startReady(project);
    await expectEnd(server, () => begin(server), code);
  });

  // In the middle of work each of them is the same end: one shows that in every check.
  const verifiesAtWork = name === 'SIGTERM' ? verifiesApp : slowlyVerifiesApp;

  verifiesAtWork(id, `ends at ${name} and takes a running ripgrep with it`, async () => {
    await using project = await makeEndlessProject();
    await using server = await startReady(project);
    void server.session.ask('tools/call', endlessSearch).catch(() => {});
    await ripgrepRuns(server.pid);
    await expectEnd(server, () => begin(server), code);
  });

  verifiesAtWork(id, `ends at ${name} though a tool and a plugin never do`, async () => {
    await using project = await makeProject({ slowPlugin: true, config: { slow: { hangsAtStop: true } } });
    await using server = await startReady(project);
    void server.session.call('slow_deaf').catch(() => {});
    await server.session.ask('ping');
    await expectEnd(server, () => begin(server), code);
  });
}

verifiesApp('end.stdin', 'goes on ending in order when its host sends a signal after the end', async () => {
  await using project = await makeProject({ slowPlugin: true, config: { slow: { hangsAtStop: true } } });
  await using server = await startReady(project);
  await expectEnd(
    server,
    () => {
      server.session.end();
      setTimeout(() => server.child.kill('SIGTERM'), 700);
    },
    0,
  );
});

verifiesApp('end.signal', 'answers calls in flight before it ends', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await startReady(project);
  const called = server.session.call('slow_wait');
  await server.session.ask('ping');
  server.child.kill('SIGTERM');
  const { result } = await called;
  expect(result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_SHUTTING_DOWN', retryable: true });
  await server.exit();
});

slowlyVerifiesApp('end.signal', 'ends when it is told to before a client has said anything', async () => {
  await using project = await makeProject();
  await using server = startServer(project, { args: ['--verbose'] });
  await vi.waitFor(() => expect(server.stderr()).toContain('Registered tool'), { timeout: 20_000 });
  await expectEnd(server, () => void server.child.kill('SIGTERM'), 0);
});

verifiesApp('end.stdin', 'answers all that was piped in before the end', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = startServer(project);
  const { session } = server;
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'e', version: '1' } };
  const answers = [
    session.ask('initialize', client),
    session.ask('tools/list'),
    session.call('slow_wait', { ms: 1000 }),
    session.call('slow_echo', { text: 'x'.repeat(2_000_000) }),
  ];
  session.end();
  for (const { error } of await Promise.all(answers)) expect(error).toBeUndefined();
  expect(await server.exit()).toMatchObject({ code: 0 });
});

slowlyVerifiesApp('end.stdin', 'ends at once when stdin is closed from the start', async () => {
  await using project = await makeProject();
  await using server = startServer(project);
  await expectEnd(server, () => server.session.end(), 0);
});

verifiesApp('end.stdin', 'ends when its client goes without a word in the middle of an answer', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await startReady(project);
  void server.session.call('slow_echo', { text: 'x'.repeat(5_000_000) }).catch(() => {});
  await expectEnd(
    server,
    () => {
      server.child.stdout?.destroy();
      server.child.stdin?.destroy();
    },
    0,
  );
});
