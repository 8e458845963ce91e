import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin } from '../harness/app.ts';
import { makeProject } from '../harness/project.ts';
import { run, runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const COMMANDS = [
  'tools',
  'call',
  'toolbox',
  'find',
  'pins',
  'config',
  'doctor',
  'init',
  'import',
  'serve',
  'status',
  'reload',
  'stop',
  'workers',
  'tasks',
];

verifiesApp('command.help', 'shows the commands and how a host starts it', async () => {
  await using project = await makeProject();
  for (const args of [[], ['--help']]) {
    const { exitCode, stdout } = await runNexus(project, args);
    expect(exitCode).toBe(0);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(String.raw`^  ${command}\b`, 'm'));
    expect(stdout).toContain('nexus --mode=server');
    expect(stdout).toMatch(/^Begin here:\n {2}nexus init .*\n {2}nexus trust .*\n {2}nexus doctor /);
  }
  expect((await runNexus(project, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
});

slowlyVerifiesApp('command.help', 'shows an example of each command', async () => {
  await using project = await makeProject();
  for (const command of COMMANDS) {
    const { exitCode, stdout } = await runNexus(project, [command, '--help']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/Examples:\n {2}nexus /),
    });
  }
});

slowlyVerifiesApp('command.help', 'names the nearest command', async () => {
  await using project = await makeProject();
  const { exitCode, stderr } = await runNexus(project, ['tols']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(/^nexus: unknown command .*\n?.*Did you mean tools\?/),
  });
});

verifiesApp('command.tools', 'lists the tools for people, and for programs as tools/list does', async () => {
  await using project = await makeProject();
  await using server = startServer(project, { args: ['--standalone'] });
  await server.session.initialize();
  const { result } = await server.session.ask('tools/list');
  const json = await runNexus(project, ['tools', '--json']);
  expect(JSON.parse(json.stdout)).toEqual(result.tools);
  const { stdout } = await runNexus(project, ['tools']);
  for (const { name } of result.tools)
    expect(stdout).toMatch(new RegExp(String.raw`^ {2}${name} +\S.{10,}$`, 'm'));
  expect(stdout).toMatch(/^memory\n {2}memory_forget/m);
  const one = await runNexus(project, ['tools', 'search_codebase']);
  expect(JSON.parse(one.stdout)).toMatchObject({ name: 'search_codebase', inputSchema: { type: 'object' } });
  expect(await runNexus(project, ['tools', 'nope'])).toMatchObject({ exitCode: 1, stdout: '' });
});

slowlyVerifiesApp('command.tools', 'ends quietly when its reader has seen enough', async () => {
  await using project = await makeProject();
  const child = execa(process.execPath, [bin, 'init', '--no-config'], {
    cwd: project.root,
    env: project.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  child.stdout.destroy();
  expect(await child).toMatchObject({ stderr: '' });
});

const FILES = { 'a.ts': 'const needle = 1;\n' };

verifiesApp('command.call', 'takes JSON or key=value', async () => {
  await using project = await makeProject({ files: FILES });
  const ways = [['query=needle', 'limit=1'], ['{"query": "needle", "limit": 1}']];
  for (const args of ways) {
    const { exitCode, stdout, stderr } = await runNexus(project, ['call', 'search_codebase', ...args]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ total: 1, hits: [{ file: 'a.ts' }] });
  }
});

slowlyVerifiesApp(
  'command.call',
  'reads values by the tool’s schema, from files and from standard input',
  async () => {
    const files = { 'a.ts': 'status 404\n', 'q.txt': '404', 'all.json': '{"query": "404", "glob": "*.ts"}' };
    await using project = await makeProject({ files });
    const ways = [
      ['query=404', 'glob=*.ts'],
      ['query=@q.txt', 'glob=*.ts'],
      ['query:="404"', 'glob=*.ts'],
      ['@all.json'],
    ];
    for (const words of ways) {
      const { exitCode, stdout, stderr } = await runNexus(project, ['call', 'search_codebase', ...words]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ total: 1, hits: [{ file: 'a.ts' }] });
    }
    const piped = await execa(process.execPath, [bin, 'call', 'search_codebase', '-'], {
      cwd: project.root,
      env: project.env,
      extendEnv: false,
      input: files['all.json'],
    });
    expect(JSON.parse(piped.stdout)).toMatchObject({ total: 1 });
  },
);

slowlyVerifiesApp(
  'command.call',
  'points to the tool and to its own help where arguments are missing',
  async () => {
    await using project = await makeProject();
    const { stderr } = await runNexus(project, ['call', 'search_codebase']);
    expect(stderr).toContain('query: is missing');
    expect(stderr).toContain('`nexus tools search_codebase` shows its arguments, `nexus call --help`');
  },
);

slowlyVerifiesApp('command.tools', 'says what hosts do not see, and why a tool is not offered', async () => {
  const config = {
    profile: 'lean',
    tools: { memory_write: { enabled: false } },
    permissions: { deny: ['memory_q*'] },
  };
  await using project = await makeProject({ config });
  const { stdout } = await runNexus(project, ['tools']);
  expect(stdout).toMatch(/^toolboxes\n/m);
  expect(stdout).toMatch(/^\d+ more tools can be called and are not listed to hosts \(profile: lean\)\.$/m);
  expect(stdout).toContain('memory_write is not offered: it is disabled by tools.memory_write.enabled');
  expect(stdout).not.toContain('memory_query');
  const call = (tool: string, ...words: string[]) => runNexus(project, ['call', tool, ...words]);
  expect((await call('memory_write')).stderr).toContain('disabled by tools.memory_write.enabled');
  expect((await call('memory_query', 'query=x')).stderr).toContain('denied by permissions.deny');
  expect((await runNexus(project, ['tools', 'memory_write'])).stderr).toContain('disabled by');
  expect((await runNexus(project, ['tasks', '--limit', 'abc'])).stderr).toContain(
    '--limit must be a whole number from 1 to 200; found "abc"',
  );
});

verifiesApp('command.call', 'destroys what a tool shows first only where that is meant', async () => {
  await using project = await makeProject();
  const call = (...args: string[]) => runNexus(project, ['call', ...args]);
  await call('memory_write', 'backend=belief', 'key=roof', 'value=it is green');
  const forget = ['memory_forget', 'backend=belief', 'key=roof'];
  for (const _ of [1, 2]) {
    const { exitCode, stderr } = await call(...forget);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('nothing was forgotten. It holds "it is green"');
    expect(stderr).toContain('`--yes` does it without a question');
  }
  const { exitCode, stdout } = await call(...forget, '--yes');
  expect({ exitCode, answer: JSON.parse(stdout) }).toEqual({
    exitCode: 0,
    answer: { forgotten: true, versions: 1 },
  });
});

slowlyVerifiesApp('command.call', 'shows progress on stderr alone', async () => {
  await using project = await makeProject({ slowPlugin: true });
  const { stdout, stderr } = await runNexus(project, ['call', 'slow_step', 'steps=2']);
  expect(stderr).toBe('step 1 50%\nstep 2 100%');
  expect(JSON.parse(stdout)).toEqual({ steps: 2 });
});

slowlyVerifiesApp(
  'command.call',
  'exits with 1 on a tool error, and prints the result whole with --json',
  async () => {
    await using project = await makeProject({ files: FILES });
    const failing = ['call', 'search_codebase', 'query=x', 'directory=../..'];
    const plain = await runNexus(project, failing);
    expect(plain).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('outside the roots'),
    });
    const json = await runNexus(project, [...failing, '--json']);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_OUTSIDE_ROOTS' } },
    });
    const good = await runNexus(project, ['call', 'search_codebase', 'query=needle', '--json']);
    expect(good.exitCode).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({
      structuredContent: { total: 1 },
      content: [{ type: 'text' }],
    });
  },
);

slowlyVerifiesApp('command.call', 'says what is wrong with a call that can’t be made', async () => {
  await using project = await makeProject();
  const faults = [
    [['search_codebse', 'query=x'], /did you mean `nexus call search_codebase`/],
    [['search_codebase', '{"query": '], /no JSON/],
    [['search_codebase', 'needle'], /"needle" is none of: key=value.*nexus call --help/],
    [[], /missing required argument 'tool'/],
  ] as const;
  for (const [args, message] of faults) {
    const { exitCode, stdout, stderr } = await runNexus(project, ['call', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(message);
  }
});

verifiesApp('command.config', 'shows what holds, with secrets masked', async () => {
  const config = { server: { instructions: 'see https://me:hunter2@example.org' }, limits: { burst: 7 } };
  await using project = await makeProject({ config });
  const { exitCode, stdout } = await runNexus(project, ['config', '--json']);
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('hunter2');
  expect(JSON.parse(stdout)).toMatchObject({
    configFile: project.path('nexus.config.json'),
    projectRoot: project.root,
    dataDir: project.dataDir,
    config: { limits: { burst: 7, callsPerSecond: 5_000 }, code: { maxFileBytes: 1_048_576 } },
  });
  const yaml = await runNexus(project, ['config']);
  expect(yaml.stdout).toMatch(/^projectRoot: /m);
  expect(yaml.stdout).toMatch(/^ {4}burst: 7$/m);
});

verifiesApp('command.doctor', 'passes on a sound setup', async () => {
  await using project = await makeProject({ slowPlugin: true });
  const { exitCode, stdout } = await runNexus(project, ['doctor']);
  // On a busy machine a server may end late: that is a time, and said to be one.
  const [, mark, code] =
    /^(\w+) +Server: started in \d+ ms, \d+ tools, search_codebase answered, exit code (\w+)$/m.exec(
      stdout,
    ) ?? [];
  expect(mark).toBe(code === '0' ? 'ok' : 'warn');
  expect(stdout).toMatch(/^ok +Audit trail: nothing on it yet/m);
  expect(stdout).toMatch(/^warn +Language models: none/m);
  const warnings = mark === 'ok' ? '1 warning: Language models' : '2 warnings: Server, Language models';
  expect(stdout).toContain(`\nNothing fails. ${warnings}.`);
  expect(exitCode).toBe(0);
  const json = await runNexus(project, ['doctor', '--json']);
  expect(JSON.parse(json.stdout).map(({ status }: { status: string }) => status)).not.toContain('failed');
});

slowlyVerifiesApp('command.doctor', 'fails on a bad config, once, with the fix', async () => {
  await using project = await makeProject({ config: { sever: {} } });
  const { exitCode, stdout } = await runNexus(project, ['doctor']);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^FAIL +Config: .*1 fault:\n +sever: no such key; did you mean server\? \(line 1, column \d+\)\n +fix: .*schema\.json$/m,
  );
  expect(stdout.match(/^FAIL/gm)).toHaveLength(1);
});

slowlyVerifiesApp('command.doctor', 'fails on a data directory that can’t be one, with the fix', async () => {
  await using project = await makeProject({ files: { occupied: 'a file' } });
  const env = { ...project.env, NEXUS_DATA_DIR: project.path('occupied') };
  const { exitCode, stdout } = await run({ root: project.root, env }, process.execPath, [bin, 'doctor']);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^FAIL +Data directory: .*occupied.*\n +fix: .*NEXUS_DATA_DIR$/m);
});

verifiesApp('command.init', 'writes a config that works, and prints what to paste', async () => {
  await using project = await makeProject();
  const { exitCode, stdout } = await runNexus(project, ['init']);
  expect(exitCode).toBe(0);
  for (const host of [
    ...['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Codex'],
    ...['Gemini CLI', 'Qwen Code', 'opencode', 'Cline'],
  ])
    expect(stdout).toContain(`\n${host} (`);
  // What they need besides: variables, time, and whom they ask.
  expect(stdout).toMatch(/env_vars = \["ANTHROPIC_API_KEY", .*"NEXUS_DEPTH"\]/);
  expect(stdout).toContain('# default_tools_approval_mode = "approve"');
  expect(stdout).toContain('"OPENAI_API_KEY": "${OPENAI_API_KEY:-}"');
  expect(stdout).toMatch(/"NEXUS_CLIENT_TIMEOUT_MS": "960000"\n *},\n *"timeout": 960\n/);
  expect(stdout).toContain(bin);
  const written = JSON.parse(await readFile(project.path('nexus.config.json'), 'utf8'));
  // Nothing of this machine is in what a team commits.
  expect(JSON.stringify(written)).not.toContain('/');
  const shared = stdout.slice(stdout.indexOf('shared with the team'));
  expect(shared.slice(0, shared.indexOf('Servers that'))).not.toContain(bin);
  expect(stdout).toContain(JSON.stringify(project.path('nexus.config.json')));
  // A host's short PATH may lack node, and two hosts start servers outside of the folder that is open.
  const commands = [...stdout.matchAll(/"command": (".*")/g)].map(([, command]) => JSON.parse(command ?? ''));
  expect(commands.every((command) => command === 'nexus' || isAbsolute(command))).toBe(true);
  expect(stdout).toMatch(/Cursor \([\s\S]*"\$\{workspaceFolder\}\/nexus\.config\.json"/);
  expect(stdout).toMatch(/VS Code \([\s\S]*"cwd": "\$\{workspaceFolder\}"/);
  expect((await runNexus(project, ['config'])).exitCode).toBe(0);
});

slowlyVerifiesApp('command.init', 'leaves a config alone that is there', async () => {
  await using project = await makeProject({ config: { limits: { burst: 7 } } });
  const { stdout } = await runNexus(project, ['init']);
  expect(stdout).toContain('stays as it is');
  expect(await readFile(project.path('nexus.config.json'), 'utf8')).toBe('{"limits":{"burst":7}}');
});

slowlyVerifiesApp('command.init', 'writes no second config below one that holds', async () => {
  await using project = await makeProject({ config: {}, files: { '.git/HEAD': '', 'deep/file': '' } });
  const { stdout } = await runNexus({ ...project, root: project.path('deep') }, ['init']);
  expect(stdout).toContain('holds here, too');
  await expect(readFile(project.path('deep/nexus.config.json'))).rejects.toThrow('ENOENT');
});

slowlyVerifiesApp(
  'config.faults',
  'refuses a log level that does not exist and a data directory that can not be',
  async () => {
    await using project = await makeProject();
    const served = (env: Record<string, string>) =>
      runNexus({ ...project, env: { ...project.env, ...env } }, ['--mode=server']);
    expect(await served({ NEXUS_LOG_LEVEL: 'foo' })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'NEXUS_LOG_LEVEL must be one of debug, info, warn, error, silent; found "foo"',
      ),
    });
    const tools = await runNexus({ ...project, env: { ...project.env, NEXUS_LOG_LEVEL: 'foo' } }, ['tools']);
    expect(tools).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('found "foo"') });
    for (const args of [['--mode=server'], ['--mode=server', '--standalone'], ['tools']]) {
      const env = { ...project.env, NEXUS_DATA_DIR: '/proc/x' };
      const { exitCode, stderr } = await runNexus({ ...project, env }, args);
      expect({ args, exitCode }).toEqual({ args, exitCode: 1 });
      expect(stderr).toMatch(/NEXUS_DATA_DIR: \/proc\/x can't be written/);
    }
  },
);

slowlyVerifiesApp(
  'command.doctor',
  'takes neither the home directory nor the root for a project, and the tools say so',
  async () => {
    await using project = await makeProject();
    const home = String(project.env.HOME);
    for (const root of process.platform === 'win32' ? [home] : [home, '/']) {
      const there = { ...project, root };
      const doctor = await runNexus(there, ['doctor']);
      expect(doctor.stdout).toMatch(/^warn +Config: .*(\n +.*)*no project.*--config/m);
      expect(doctor.exitCode).toBe(0);
      for (const command of [['init'], ['import', 'claude-desktop'], ['add', './x.mjs']]) {
        const wrote = await runNexus(there, command);
        expect(wrote).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no project') });
      }
      expect(existsSync(join(root, 'nexus.config.json'))).toBe(false);
      expect((await runNexus(there, ['init', '--no-config'])).stdout).toContain('"/path/to/project/');
      const searched = await runNexus(there, ['call', 'search_codebase', 'query=needle']);
      expect(searched).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no project') });
    }
  },
);

verifiesApp('command.not-built', 'says how to build it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nexus-unbuilt-'));
  try {
    await mkdir(join(folder, 'bin'));
    // The copy is seen as a module by its package, as the original is.
    await copyFile(join(bin, '../../package.json'), join(folder, 'package.json'));
    await copyFile(bin, join(folder, 'bin/nexus.js'));
    const { exitCode, stdout, stderr } = await execa(
      process.execPath,
      [join(folder, 'bin/nexus.js'), 'tools'],
      {
        reject: false,
      },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/not built yet; run .*pnpm@12 build/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
