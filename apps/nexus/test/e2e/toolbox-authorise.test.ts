import { oauthServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { openTerminal } from '../harness/terminal.ts';
import { verifiesApp } from '../harness/verifies.ts';

const PATIENCE_MS = 20_000;

verifiesApp('command.toolbox', 'has a person agree in the browser, once for every process', async () => {
  await using closed = await oauthServer();
  await using project = await makeProject({
    config: { toolboxes: { web: { mcpServers: { closed: { url: closed.url } } } } },
    // No program there opens a browser.
    env: { PATH: '/nowhere' },
  });
  await using server = startServer(project);
  await server.session.initialize();
  const refused = await server.session.call('open_toolbox', { toolbox: 'web' });
  expect(refused.result.content[0].text).toContain('nexus toolbox open web');
  expect((await runNexus(project, ['toolbox', 'test'])).stdout).toContain('nexus toolbox open web');

  const terminal = openTerminal(project, ['toolbox', 'open', 'web']);
  const page = await vi.waitFor(() => {
    const [, url] = /(http:\S+)\r?\n/.exec(terminal.shown()) ?? [];
    return url ?? expect.unreachable(terminal.shown());
  }, PATIENCE_MS);
  expect((await fetch(page)).status).toBe(200);
  await terminal.shows('web: 0 tools.');

  const opened = await server.session.call('open_toolbox', { toolbox: 'web' });
  expect(opened.result.isError).toBeUndefined();
  expect((await runNexus(project, ['toolbox', 'test'])).exitCode).toBe(0);
});
