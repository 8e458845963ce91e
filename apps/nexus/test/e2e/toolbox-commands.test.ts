import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { auditEvents } from '../harness/audit-events.ts';
import { changeConfig, makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const toolboxes = {
  dev: {
    description: 'Tries of all kinds',
    mcpServers: { fake: fakeServer({ instructions: 'Begin with echo.\nThen stop.' }) },
  },
  broken: {
    mcpServers: {
      absent: { command: 'no-such-program' },
      dies: fakeServer({ exitCode: 3, stderr: 'cannot go on' }),
      well: fakeServer(),
    },
  },
};

slowlyVerifiesApp('command.toolbox', 'lists what the config has, and says where there is none', async () => {
  await using project = await makeProject({ config: { toolboxes } });
  const { exitCode, stdout } = await runNexus(project, ['toolbox', 'list']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^dev +fake +idle +- +Tries of all kinds$/m);
  expect(stdout).toMatch(/^broken +absent +failed +- +no program no-such-program was found/m);
  const json = await runNexus(project, ['toolbox', 'list', '--json']);
  expect(JSON.parse(json.stdout).toolboxes).toMatchObject([
    { name: 'broken', isOpen: false, servers: [{ name: 'absent' }, { name: 'dies' }, { name: 'well' }] },
    { name: 'dev', description: 'Tries of all kinds', isOpen: false },
  ]);
  await using empty = await makeProject();
  expect((await runNexus(empty, ['toolbox', 'list'])).stdout).toMatch(/No toolboxes yet: .*nexus import/);
});

verifiesApp('command.toolbox', 'opens one and names its tools', async () => {
  await using project = await makeProject({ config: { toolboxes } });
  const { exitCode, stdout } = await runNexus(project, ['toolbox', 'open', 'dev']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^dev: \d+ tools\.$/m);
  expect(stdout).toMatch(/^ {2}dev__fake__echo$/m);
  expect(stdout).toMatch(/^`nexus call dev__fake__\w+ …` calls one\.$/m);
  expect(await runNexus(project, ['toolbox', 'open', 'devv'])).toMatchObject({
    exitCode: 1,
    stderr: 'nexus: no toolbox "devv"; did you mean dev?',
  });
  // As its server says it, on one line.
  expect(stdout).toMatch(/^fake says of itself: Begin with echo\. Then stop\.$/m);
  const broken = await runNexus(project, ['toolbox', 'open', 'broken']);
  expect(broken.exitCode).toBe(0);
  expect(broken.stdout).toMatch(/^left out: absent: .*no-such-program/m);
  expect(broken.stdout).toMatch(/^left out: dies: .*code 3/m);
  expect(broken.stdout).toMatch(/^ {2}broken__well__echo$/m);
  expect((await runNexus(project, ['toolbox', 'shut'])).stderr).toContain('use list, open, test');
});

slowlyVerifiesApp(
  'command.call',
  'calls a toolbox’s tool by the name that opening it prints, in any mode',
  async () => {
    for (const mode of [{}, { toolMode: 'proxy' }, { profile: 'lean' }]) {
      await using project = await makeProject({ config: { toolboxes, ...mode } });
      const called = await runNexus(project, ['call', 'dev__fake__echo', 'text=404']);
      expect({ mode, exitCode: called.exitCode, stderr: called.stderr }).toEqual({
        mode,
        exitCode: 0,
        stderr: '',
      });
      expect(called.stdout).toContain('404');
      expect((await runNexus(project, ['tools', 'dev__fake__echo'])).stdout).toContain('"inputSchema"');
    }
    await using project = await makeProject({ config: { toolboxes } });
    expect(await runNexus(project, ['call', 'dev__fake__ecko'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('did you mean `nexus call dev__fake__echo`'),
    });
  },
);

slowlyVerifiesApp('command.toolbox', 'tests each server, and says what is wrong with which', async () => {
  await using project = await makeProject({ config: { toolboxes } });
  const well = await runNexus(project, ['toolbox', 'test', 'dev']);
  expect(well.exitCode).toBe(0);
  expect(well.stdout).toMatch(/^ok +dev \/ fake: \d+ tools in \d+ ms, protocol 2025-11-25$/m);
  const all = await runNexus(project, ['toolbox', 'test']);
  expect(all.exitCode).toBe(1);
  expect(all.stdout).toMatch(/^FAIL +broken \/ absent: .*no-such-program.*PATH/m);
  expect(all.stdout).toMatch(/^FAIL +broken \/ dies: .*code 3[\s\S]*cannot go on/m);
  expect(all.stdout).toMatch(/^ok +broken \/ well: /m);
  expect(all.stdout).toMatch(/^2 of 4 servers are well\.$/m);
  const json = await runNexus(project, ['toolbox', 'test', 'dev', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject([{ toolbox: 'dev', server: 'fake', isOk: true }]);
});

slowlyVerifiesApp(
  'command.doctor',
  'finds a server whose program is not there, and tries all only when asked',
  async () => {
    await using project = await makeProject({ config: { toolboxes } });
    const absent = await runNexus(project, ['doctor']);
    expect(absent.exitCode).toBe(1);
    expect(absent.stdout).toMatch(/^FAIL +Toolboxes: broken \/ absent: .*no-such-program.*\n +fix: /m);
    const { broken, ...others } = toolboxes;
    const { absent: _, ...mcpServers } = broken.mcpServers;
    await changeConfig(project, { toolboxes: { ...others, broken: { mcpServers } } });
    const quiet = await runNexus(project, ['doctor']);
    expect(quiet.stdout).toMatch(/^ok +Toolboxes: 2 with 3 servers.*--connect/m);
    const tried = await runNexus(project, ['doctor', '--connect']);
    expect(tried.exitCode).toBe(1);
    expect(tried.stdout).toMatch(/^FAIL +Toolboxes: broken \/ dies: /m);
  },
);

verifiesApp(
  'command.find',
  'shows tools that fit, best first, and which servers could not be asked',
  async () => {
    await using project = await makeProject({ config: { toolboxes } });
    const { exitCode, stdout } = await runNexus(project, [
      'find',
      'echo',
      '--toolbox',
      'dev',
      '--limit',
      '2',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^TOOLBOX +SERVER +TOOL +DESCRIPTION\ndev +fake +echo +\S/);
    expect(stdout).toMatch(/^Not searched: broken \/ dies: /m);
    const json = await runNexus(project, ['find', 'echo', '--json']);
    expect(JSON.parse(json.stdout).hits[0]).toMatchObject({ tool: 'echo', inputSchema: { type: 'object' } });
    expect((await runNexus(project, ['find', 'zzz'])).stdout).toContain('Nothing found.');
  },
);

slowlyVerifiesApp('command.find', 'shows a tool that its server does not describe', async () => {
  const bare = fakeServer({ hostileTools: [{ name: 'grommet', inputSchema: { type: 'object' } }] });
  await using project = await makeProject({ config: { toolboxes: { dev: { mcpServers: { bare } } } } });
  const { exitCode, stdout, stderr } = await runNexus(project, ['find', 'grommet']);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^dev +bare +grommet$/m);
});

slowlyVerifiesApp('command.find', 'counts the servers that it does not name', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `absent-${index}`);
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command: 'no-such-program' }]));
  await using project = await makeProject({ config: { toolboxes: { many: { mcpServers } } } });
  const { stdout } = await runNexus(project, ['find', 'anything']);
  const named = stdout.match(/^Not searched: many /gm)?.length ?? 0;
  expect(stdout).toContain(`Not searched: ${12 - named} more; `);
});

verifiesApp('command.pins', 'shows what changed, and accepts it for a running server', async () => {
  await using project = await shareProject();
  const markerFile = project.path('changed');
  await changeConfig(project, { toolboxes: { dev: { mcpServers: { fake: fakeServer({ markerFile }) } } } });
  expect((await runNexus(project, ['pins'])).stdout).toContain('as it was when it was first seen');
  await runNexus(project, ['toolbox', 'open', 'dev']);
  await writeFile(markerFile, '');
  const { session } = await project.host();
  await session.call('open_toolbox', { toolbox: 'dev' });
  const names = async () =>
    (await session.ask('tools/list')).result.tools.map(({ name }: { name: string }) => name);
  expect(await names()).not.toContain('dev__fake__echo');
  const held = await runNexus(project, ['pins']);
  expect(held.stdout).toMatch(/^dev \/ fake \/ echo\n {2}description:\n {4}- .+\n {4}\+ .+$/m);
  const accept = (...names: string[]) => runNexus(project, ['pins', 'accept', ...names]);
  expect(await accept('dv')).toMatchObject({
    exitCode: 1,
    stderr: 'nexus: no toolbox "dv"; did you mean dev?',
  });
  expect((await accept('dev', 'fke')).stderr).toContain('no server of toolbox dev "fke"; did you mean fake?');
  expect((await accept('dev', 'fake', 'other')).stdout).toContain('Nothing was held back');
  const unnamed = await accept('dev');
  expect(unnamed.exitCode).toBe(1);
  expect(unnamed.stderr).toContain('nothing is accepted');
  expect((await accept('dev', '--hash', 'another')).stderr).toContain('another by now');
  const [, hash = ''] = /--hash ([\da-f]{40})/.exec(held.stdout) ?? [];
  const accepted = await accept('dev', 'fake', 'echo', '--hash', hash);
  expect(accepted.stdout).toBe('Accepted 1 changed tool:\n  dev / fake / echo');
  expect(await auditEvents(project, 'pin.accepted')).toEqual([
    { toolbox: 'dev', server: 'fake', tool: 'echo', hashes: [expect.stringContaining(hash)] },
  ]);
  expect(await names()).toContain('dev__fake__echo');
  expect((await runNexus(project, ['pins'])).stdout).toContain('as it was');
});

verifiesApp('command.pins', 'calls no other server’s tool by the name of one that is held back', async () => {
  await using project = await shareProject();
  const markerFile = project.path('changed');
  const toolboxOf = (server: object) => ({ prefix: false, mcpServers: { it: server } });
  const toolboxes = { till: toolboxOf(fakeServer({ markerFile })), vault: toolboxOf(fakeServer()) };
  await changeConfig(project, { toolboxes });
  for (const name of ['till', 'vault']) await runNexus(project, ['toolbox', 'open', name]);
  await writeFile(markerFile, '');
  await runNexus(project, ['toolbox', 'open', 'till']);
  const asked = await runNexus(project, ['call', 'echo', 'message=a']);
  expect(asked).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('Of till / it: echo is held back'),
  });
  const { session } = await project.host();
  const { result } = await session.call('use_tool', { tool: 'echo', arguments: { message: 'a' } });
  const { text } = result.content[0];
  expect(text).toContain('Several servers have a tool echo. Give one of these');
  expect(text).toContain('till__it__echo (held back');
});

verifiesApp(
  'command.reload',
  'takes a changed config over, and stays with what runs where it is faulty',
  async () => {
    await using project = await shareProject({ config: { toolboxes: {} } });
    expect(await runNexus(project, ['reload'])).toMatchObject({ exitCode: 3 });
    await project.host();
    await changeConfig(project, { toolMode: 'sometimes' });
    const refused = await runNexus(project, ['reload']);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/did not take the config over: .*\n +toolMode: /),
    });
    await changeConfig(project, { toolMode: 'proxy', toolboxes: { dev: toolboxes.dev } });
    expect((await runNexus(project, ['reload'])).exitCode).toBe(0);
    expect((await runNexus(project, ['toolbox', 'list'])).stdout).toMatch(/^dev +fake/m);
    expect((await runNexus(project, ['reload'])).stdout).toBe('Nothing has changed.');
    expect(await auditEvents(project, 'config.changed')).toHaveLength(1);
  },
);

slowlyVerifiesApp('command.server', 'shows the servers that run behind it', async () => {
  await using project = await shareProject({ config: { toolboxes: { dev: toolboxes.dev } } });
  const { session } = await project.host();
  await session.call('open_toolbox', { toolbox: 'dev' });
  const { stdout } = await runNexus(project, ['status']);
  expect(stdout).toMatch(
    /^SERVER +STATE +PROCESS +SESSIONS +TOOLS +RESTARTS +ERROR\ndev\/fake +ready +\d+ +1 +\d+ +0$/m,
  );
});

slowlyVerifiesApp(
  'command.toolbox',
  'waits for a server that npx downloads first, and says so, whichever command starts it',
  async () => {
    const { args } = fakeServer();
    const config = { toolboxes: { box: { mcpServers: { far: { command: 'npx', args: ['-y', 'far'] } } } } };
    const started = [
      ['toolbox', 'test'],
      ['toolbox', 'open', 'box'],
      ['find', 'echo'],
      ['call', 'use_tool', 'toolbox=box', 'tool=echo', 'arguments={"message":"hi"}'],
    ].map(async (words) => {
      await using project = await makeProject({ config, env: { PATH: '/usr/bin:/bin' } });
      const programs = project.path('programs');
      await mkdir(programs);
      // As npx, which is silent while it downloads; longer than a search waits for servers that are here.
      const script = `#!/bin/sh\nsleep 12\nexec "${process.execPath}" '${args.join("' '")}'\n`;
      await writeFile(join(programs, 'npx'), script, { mode: 0o755 });
      const env = { ...project.env, PATH: `${programs}:${project.env.PATH}` };
      return { words, ...(await runNexus({ ...project, env }, words)) };
    });
    for (const { words, exitCode, stdout, stderr } of await Promise.all(started)) {
      expect([words, exitCode, stderr]).toEqual([
        words,
        0,
        expect.stringMatching(/waits for box \/ far.*(which|:) a first start by npx downloads/),
      ]);
      expect(stdout).toMatch(/echo|hi|1 of 1 server is well/);
    }
  },
);
