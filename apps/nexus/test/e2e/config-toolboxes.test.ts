// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

slowlyVerifiesApp(
  'config.variables',
  'names each variable that is missing, where, and what to do',
  async () => {
    await using project = await makeProject({
      config: { toolMode: '${OUR_MODE}', server: { name: '${OUR_NAME}' } },
    });
    const { exitCode, stdout, stderr } = await runNexus(project, ['--mode=server']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /has 2 faults:\n {2}toolMode: the environment variable OUR_MODE is not set; set it, or give a default: \$\{OUR_MODE:-default\} \(line 1, column \d+\)\n {2}server\.name: /,
    );
  },
);

verifiesApp('config.variables', 'puts variables and defaults in, everywhere in the file', async () => {
  const plugin = `export default { name: 'mine', options: { safeParse() {}, strict: () => ({ safeParse: () => ({ success: true }) }) },
    tools: [], start: async () => {}, stop: async () => {} };`;
  const config = {
    server: { name: '${TEAM:-nobody}', instructions: 'Ask ${WHO:-the lead}.' },
    plugins: ['./${TEAM}.mjs'],
  };
  await using project = await makeProject({ config, env: { TEAM: 'blue' }, files: { 'blue.mjs': plugin } });
  await using server = startServer(project);
  const { result } = await server.session.initialize();
  expect(result.serverInfo.name).toBe('blue');
  expect(result.instructions).toContain('Ask the lead.');
});

verifiesApp('config.workbench', 'takes its file, and NEXUS_CONFIG wins', async () => {
  const workbench = {
    toolMode: 'proxy',
    toolboxes: {
      main: {
        description: 'Main',
        mcpServers: { memory: { ...fakeServer(), env: {}, toolFilters: ['echo'], transport: 'stdio' } },
      },
    },
  };
  await using project = await makeProject({
    files: { 'workbench-config.json': JSON.stringify(workbench), 'other.yaml': 'toolboxes: {}\n' },
    env: { WORKBENCH_CONFIG: './workbench-config.json' },
  });
  await using server = startServer(project);
  const { result } = await server.session.initialize();
  expect(result.instructions).toMatch(/^- main: Main$/m);
  const opened = await server.session.call('open_toolbox', { toolbox: 'main' });
  expect(opened.result.structuredContent.tools).toMatchObject([{ server: 'memory', tool: 'echo' }]);
  const env = { ...project.env, NEXUS_CONFIG: 'other.yaml' };
  const shown = await runNexus({ ...project, env }, ['config', '--json']);
  expect(JSON.parse(shown.stdout).configFile).toBe(project.path('other.yaml'));
});

slowlyVerifiesApp(
  'command.config',
  'shows toolboxes as they are written, with no secret in them',
  async () => {
    const toolboxes = {
      prod: {
        mcpServers: {
          api: { command: 'x', args: ['--token', 'hunter2', '${ARG}'], env: { A: '${ARG}', B: 'hunter2' } },
          web: { url: 'https://a.example/mcp?key=hunter2', headers: { Authorization: 'Bearer ${ARG}' } },
        },
      },
    };
    await using project = await makeProject({ config: { toolboxes }, env: { ARG: 'hunter2' } });
    const plain = await runNexus(project, ['config']);
    const json = await runNexus(project, ['config', '--json']);
    await using server = startServer(project, { args: ['--verbose'] });
    await server.session.initialize();
    const { result } = await server.session.ask('resources/read', { uri: 'nexus://config' });
    for (const shown of [plain.stdout, json.stdout, result.contents[0].text]) {
      expect(shown).not.toContain('hunter2');
      expect(shown).toContain('${ARG}');
    }
    expect(JSON.parse(json.stdout).config.toolboxes.prod.mcpServers).toMatchObject({
      api: { args: ['--token', '********', '${ARG}'], env: { A: '${ARG}', B: '********' } },
      web: { headers: { Authorization: 'Bearer ${ARG}' } },
    });
    expect(server.stderr()).not.toContain('hunter2');
  },
);

slowlyVerifiesApp(
  'config.variables',
  'costs only the server that lacks a variable or a program, named wherever one looks',
  async () => {
    const toolboxes = {
      box: {
        mcpServers: {
          well: fakeServer(),
          api: { command: process.execPath, env: { KEY: '${NOT_SET_ANYWHERE}' } },
          gone: { command: 'no-such-program' },
        },
      },
    };
    await using project = await makeProject({ config: { toolboxes } });
    await using server = startServer(project);
    const { result } = await server.session.initialize();
    const doctor = await runNexus(project, ['doctor']);
    const tested = await runNexus(project, ['doctor', '--connect']);
    for (const text of [result.instructions, server.stderr(), doctor.stdout, tested.stdout]) {
      expect(text).toMatch(/NOT_SET_ANYWHERE is not set; set it, or give a default/);
      expect(text).toMatch(/no-such-program/);
    }
    // Once, with its own fix, and not that of what waits for trust.
    expect(doctor.stdout.match(/NOT_SET_ANYWHERE is not set/g)).toHaveLength(1);
    expect(doctor.stdout).toMatch(/^ok +Config:/m);
    const list = await server.session.call('list_toolboxes', {});
    expect(list.result.structuredContent.toolboxes[0].servers).toEqual([
      { name: 'well', state: 'idle', toolCount: expect.any(Number) },
      { name: 'api', state: 'failed', error: expect.stringContaining('NOT_SET_ANYWHERE') },
      { name: 'gone', state: 'failed', error: expect.stringContaining('no-such-program') },
    ]);
    const opened = await server.session.call('open_toolbox', { toolbox: 'box' });
    expect(opened.result.structuredContent.tools).toContain('box__well__echo');
    expect(opened.result.structuredContent.faults).toEqual([
      { server: 'api', reason: expect.stringContaining('NOT_SET_ANYWHERE') },
      { server: 'gone', reason: expect.stringContaining('no-such-program') },
    ]);
    expect(await runNexus(project, ['find', 'echo', '--toolbox', 'bax'])).toMatchObject({
      exitCode: 1,
      stderr: 'nexus: no toolbox "bax"; did you mean box?',
    });
  },
);
