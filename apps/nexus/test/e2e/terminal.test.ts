import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { expect } from 'vitest';
import { bin } from '../harness/app.ts';
import { makeProject } from '../harness/project.ts';
import { run } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { verifiesApp } from '../harness/verifies.ts';

const CTRL_C = '\x03';

verifiesApp(
  'command.terminal',
  'says on a terminal what it is and what to paste, and ends with Ctrl-C',
  async () => {
    await using project = await makeProject();
    await using server = startServer(project, { args: ['--standalone'] });
    await server.session.initialize();
    const { result } = await server.session.ask('tools/list');

    const terminal = spawn(process.execPath, [bin, '--mode=server'], {
      cwd: project.root,
      env: { ...project.env },
      cols: 200,
    });
    const exited = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
    let shown = '';
    terminal.onData((data) => {
      shown += data;
      if (shown.includes('Ctrl-C')) terminal.write(CTRL_C);
    });
    expect(await exited).toBe(130);

    const text = stripVTControlCharacters(shown).replaceAll('\r\n', '\n');
    expect(text).toMatch(new RegExp(`MCP server with ${result.tools.length} tools for .*project$`, 'm'));
    const block = JSON.parse(/^\{\n[\s\S]*?^\}$/m.exec(text)?.[0] ?? '');
    const { command, args } = block.mcpServers.nexus;
    expect(args.at(-1)).toBe('--mode=server');
    const { exitCode } = await run(project, command, args);
    expect(exitCode).toBe(0);
  },
);

verifiesApp('command.terminal', 'says nothing of the kind to a host', async () => {
  await using project = await makeProject();
  await using server = startServer(project);
  await server.session.initialize();
  expect(server.stderr()).toBe('');
});
