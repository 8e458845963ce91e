import { writeFileSync } from 'node:fs';
import { fakeServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { changeConfig, makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { openToolbox } from '../harness/toolboxes.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const PATIENCE_MS = 10_000;

verifiesApp('toolbox.pins', 'holds a changed tool back, says so, and shows it once accepted', async () => {
  await using project = await makeProject();
  const markerFile = project.path('changed');
  const box = { description: 'One server.', mcpServers: { it: fakeServer({ markerFile }) } };
  await changeConfig(project, { toolboxes: { box } });
  await using server = startServer(project);
  const { session } = server;
  await session.initialize();
  await openToolbox(session, 'box');
  await session.call('close_toolbox', { toolbox: 'box' });
  writeFileSync(markerFile, '');
  // From here on its server describes echo otherwise; a fresh list shows that.
  await changeConfig(project, {
    toolboxes: { box: { ...box, mcpServers: { it: { ...box.mcpServers.it, env: { A: 'b' } } } } },
  });
  const listed = async () => {
    const { result } = await session.ask('tools/list');
    return result.tools.find(({ name }: { name: string }) => name === 'box__it__echo')?.description;
  };
  await vi.waitFor(async () => {
    const { faults } = await openToolbox(session, 'box');
    expect(JSON.stringify(faults)).toContain('`nexus pins` shows the change, and accepts it');
    await session.call('close_toolbox', { toolbox: 'box' });
  }, PATIENCE_MS);
  await openToolbox(session, 'box');
  expect(await listed()).toBeUndefined();
  const held = await runNexus(project, ['pins']);
  expect(held.stdout).toContain('Echoes, and does something else now.');
  const [, hash = ''] = /--hash ([\da-f]{40})/.exec(held.stdout) ?? [];
  const accepted = await runNexus(project, ['pins', 'accept', 'box', '--hash', hash]);
  expect(accepted.exitCode, accepted.stderr).toBe(0);
  await vi.waitFor(
    async () => expect(await listed()).toBe('Echoes, and does something else now.'),
    PATIENCE_MS,
  );
});

verifiesApp('toolbox.secrets', 'keeps them out of logs, errors and what is shown of the config', async () => {
  const secrets = { TOKEN: 'value-of-the-token-1', KEY: 'value-of-the-key-2' };
  const literal = 'literal-secret-3';
  const failing = {
    command: process.execPath,
    args: ['-e', 'console.error(process.env.A, process.env.B, "were refused"); process.exitCode = 4'],
  };
  await using project = await makeProject({
    env: secrets,
    config: {
      toolboxes: {
        box: {
          description: 'Tells its secrets.',
          mcpServers: {
            bad: { ...failing, env: { A: '${TOKEN}', B: literal } },
            web: { url: 'http://127.0.0.1:1/mcp', headers: { 'x-api-key': '${KEY}' } },
          },
        },
      },
    },
  });
  await using server = startServer(project, { args: ['--verbose'] });
  await server.session.initialize();
  const { result } = await server.session.call('open_toolbox', { toolbox: 'box' });
  expect(result.isError).toBe(true);
  const shown = await runNexus(project, ['config']);
  const doctor = await runNexus(project, ['doctor']);
  const status = await runNexus(project, ['status', '--json']);
  const { result: resource } = await server.session.ask('resources/read', { uri: 'nexus://config' });
  expect(shown.stdout).toContain('${TOKEN}');
  const said = [
    JSON.stringify(result),
    JSON.stringify(resource),
    server.stderr(),
    ...[shown, doctor, status].flatMap(({ stdout, stderr }) => [stdout, stderr]),
  ].join('\n');
  expect(said).toContain('were refused');
  for (const secret of [...Object.values(secrets), literal]) expect(said, secret).not.toContain(secret);
});

verifiesApp('toolbox.reload', 'keeps a server’s process over a change of others', async () => {
  const kept = { description: 'Stays.', mcpServers: { it: fakeServer() } };
  await using project = await makeProject({ config: { toolboxes: { kept } } });
  await using server = startServer(project);
  const { session } = server;
  await session.initialize();
  await openToolbox(session, 'kept');
  const before = await session.call('kept__it__who');
  await changeConfig(project, {
    toolboxes: { kept, added: { description: 'New.', mcpServers: { it: fakeServer() } } },
  });
  await vi.waitFor(() => openToolbox(session, 'added'), PATIENCE_MS);
  const after = await session.call('kept__it__who');
  expect(after.result.structuredContent.pid).toBe(before.result.structuredContent.pid);
  await changeConfig(project, {
    toolboxes: { added: { description: 'New.', mcpServers: { it: fakeServer() } } },
  });
  await vi.waitFor(async () => {
    const { result } = await session.ask('tools/list');
    const names = result.tools.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('kept__it__who');
    expect(names).toContain('added__it__who');
  }, PATIENCE_MS);
  writeFileSync(project.path('nexus.config.json'), '{"toolboxes": {"added": {"descriptio');
  await vi.waitFor(() => expect(server.stderr()).toContain('not taken over'), PATIENCE_MS);
  const still = await session.call('added__it__echo', { message: 'still' });
  expect(JSON.stringify(still.result)).toContain('still');
});

slowlyVerifiesApp(
  'toolbox.reload',
  'tells a session that begins after it what is in force, and no more',
  async () => {
    const box = (description: string) => ({ description, mcpServers: { it: fakeServer() } });
    await using project = await makeProject({ config: { toolboxes: { first: box('At the start.') } } });
    await using server = startServer(project);
    await server.session.initialize();
    await changeConfig(project, { profile: 'lean', toolboxes: { second: box('After the reload.') } });
    await vi.waitFor(() => openToolbox(server.session, 'second'), PATIENCE_MS);
    await using later = startServer(project);
    const { instructions } = (await later.session.initialize()).result;
    expect(instructions).toContain('After the reload.');
    expect(instructions).not.toContain('At the start.');
    // Which profile is in force is decided when the server starts.
    expect(instructions).not.toContain('Most are not listed');
  },
);
