import { constants } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { expect, vi } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { run, runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { openTerminal, openWindow } from '../harness/terminal.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

verifiesApp(
  'command.terminal',
  'says on a terminal what it is and what to paste, and ends with Ctrl-C',
  async () => {
    await using project = await makeProject();
    await using server = startServer(project, { args: ['--standalone'] });
    await server.session.initialize();
    const { result } = await server.session.ask('tools/list');

    const terminal = openTerminal(project, ['--mode=server']);
    await terminal.shows('Ctrl-C');
    expect(await terminal.interrupt()).toBe(130);

    const text = stripVTControlCharacters(terminal.shown()).replaceAll('\r\n', '\n');
    expect(text).toMatch(new RegExp(`MCP server with ${result.tools.length} tools for .*project$`, 'm'));
    const block = JSON.parse(/^\{\n[\s\S]*?^\}$/m.exec(text)?.[0] ?? '');
    const { command, args } = block.mcpServers.nexus;
    expect(args.at(-1)).toBe('--mode=server');
    const { exitCode } = await run(project, command, args);
    expect(exitCode).toBe(0);
  },
);

slowlyVerifiesApp(
  'command.terminal',
  'logs lines that people read on a terminal, and JSON elsewhere',
  async () => {
    const config = { toolboxes: { box: { mcpServers: { gone: { command: 'no-such-program' } } } } };
    await using project = await makeProject({ config });
    await using server = startServer(project, { args: ['--standalone'] });
    await server.session.initialize();
    await vi.waitFor(() => {
      expect(JSON.parse(server.stderr().split('\n')[0] ?? '')).toMatchObject({
        level: 40,
        msg: expect.stringContaining('Server gone of toolbox box is left out'),
      });
    });
    const terminal = openTerminal(project, ['--mode=server', '--standalone']);
    await terminal.shows('Server gone of toolbox box is left out');
    await terminal.interrupt();
    const text = stripVTControlCharacters(terminal.shown());
    expect(text).toMatch(/^\d\d:\d\d:\d\d.* warn.* Server gone of toolbox box is left out/im);
    expect(text).not.toContain('"level"');
  },
);

slowlyVerifiesApp('command.terminal', 'says on a terminal that it joined a server', async () => {
  await using project = await makeProject();
  await using server = startServer(project);
  await server.session.initialize();
  const terminal = openTerminal(project, ['--mode=server']);
  await terminal.shows('Ctrl-C');
  expect(await terminal.interrupt()).toBe(130);
  expect(terminal.shown()).toMatch(/joined the server that runs for .*project; `nexus status` shows it/);
  expect((await server.session.ask('ping')).result).toEqual({});
});

slowlyVerifiesApp(
  'command.terminal',
  'ends in order when its window is closed, and does not abort',
  async () => {
    await using project = await makeProject();
    const window = openWindow(project, ['serve']);
    await window.shows('Ctrl-C');
    expect(await window.close()).toBe(constants.signals.SIGHUP);
    expect((await runNexus(project, ['status'])).exitCode).toBe(3);
  },
);

verifiesApp('command.terminal', 'says nothing of the kind to a host', async () => {
  await using project = await makeProject();
  await using server = startServer(project);
  await server.session.initialize();
  expect(server.stderr()).toBe('');
});
