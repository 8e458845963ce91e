import { expect } from 'vitest';
import { makeProject, type ProjectInput } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** What a server that can't start says, having said nothing to its client. */
async function refusal(input: ProjectInput): Promise<string> {
  await using project = await makeProject(input);
  const { exitCode, stdout, stderr } = await runNexus(project, ['--mode=server']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).not.toMatch(/\n\s+at /);
  return stderr;
}

verifiesApp('config.missing', 'names the config that is not there', async () => {
  const said = await refusal({ env: { NEXUS_CONFIG: 'nowhere/nexus.config.json' } });
  expect(said).toMatch(/no config file at .*nowhere.nexus\.config\.json.*NEXUS_CONFIG/);
});

slowlyVerifiesApp('config.missing', 'names the config that --config means', async () => {
  await using project = await makeProject();
  const { exitCode, stderr } = await runNexus(project, ['--mode=server', '--config', 'no.yaml']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(project.path('no.yaml'));
});

verifiesApp('config.faults', 'names every fault at once, with its path and the nearest key', async () => {
  const said = await refusal({
    config: {
      sever: { name: 'x' },
      server: { nme: 'x' },
      limits: { burst: 0, callsPerSecond: 'many' },
      tools: { search_codebse: {}, search_codebase: { timeoutMs: 1, defaults: { limit: 5000, qery: 'x' } } },
      code: { maxFilBytes: 1 },
    },
  });
  for (const fault of [
    /^nexus: .*nexus\.config\.json has 9 faults:$/m,
    /^ {2}sever: no such key; did you mean server\? \(line 1, column \d+\)$/m,
    /^ {2}server\.nme: no such key; did you mean name\? \(line 1, column \d+\)$/m,
    /^ {2}limits\.burst: .*found 0 \(line 1, column \d+\)$/m,
    /^ {2}limits\.callsPerSecond: .*found "many" \(line 1, column \d+\)$/m,
    /^ {2}tools\.search_codebse: no such key; did you mean search_codebase\? \(line 1, column \d+\)$/m,
    /^ {2}tools\.search_codebase\.timeoutMs: .*found 1 \(line 1, column \d+\)$/m,
    /^ {2}tools\.search_codebase\.defaults\.limit: .*found 5000 \(line 1, column \d+\)$/m,
    /^ {2}tools\.search_codebase\.defaults\.qery: no such key; did you mean query\? \(line 1, column \d+\)$/m,
    /^ {2}code\.maxFilBytes: no such key; did you mean maxFileBytes\? \(line 1, column \d+\)$/m,
  ]) {
    expect(said).toMatch(fault);
  }
});

verifiesApp('config.faults', 'says where a file does not parse', async () => {
  const broken = await refusal({
    files: { 'nexus.config.json': '{\n  "server": {\n    "name": "x",,\n  }\n}' },
  });
  expect(broken).toMatch(/\(whole file\): Expected .*property name.* \(line 3, column 17\)$/m);
  expect(broken).not.toMatch(/flow|YAML/i);
  expect(await refusal({ files: { 'nexus.config.yaml': 'server:\n  name: [\n' } })).toMatch(/line \d/);
  expect(await refusal({ files: { 'nexus.config.json': '[]' } })).toMatch(/must hold an object/);
});

slowlyVerifiesApp('config.faults', 'refuses a variable out of range', async () => {
  const said = await refusal({ env: { NEXUS_TIMEOUT_MULTIPLIER: '99' } });
  expect(said).toMatch(/NEXUS_TIMEOUT_MULTIPLIER: must be a number from 0\.25 to 10; found "99"/);
});

slowlyVerifiesApp('config.faults', 'refuses a flag or mode that does not exist', async () => {
  await using project = await makeProject();
  const flag = await runNexus(project, ['--mode=server', '--verbos']);
  expect(flag).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--verbos') });
  const mode = await runNexus(project, ['--mode=sever']);
  expect(mode).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/sever.*allowed: .*server/) });
});

verifiesApp('config.plugins', 'names each plugin that can’t be loaded', async () => {
  const said = await refusal({
    config: { plugins: ['nexus-plugin-nowhere', './missing.mjs', './broken.mjs', './empty.mjs'] },
    files: { 'broken.mjs': '\nthrow new Error("broken on purpose");', 'empty.mjs': '' },
  });
  expect(said).toMatch(/plugins\.0: .*nexus-plugin-nowhere.*npm install nexus-plugin-nowhere/);
  expect(said).toMatch(/plugins\.1: .*missing\.mjs.*check the path/);
  expect(said).toMatch(/plugins\.2: .*broken on purpose, at .*broken\.mjs:2 \(line 1, column \d+\)$/m);
  expect(said).toMatch(/plugins\.3: .*no default export.*definePlugin/);
});

slowlyVerifiesApp(
  'config.plugins',
  'names the line where a plugin, or what it imports, does not parse, and runs none of it',
  async () => {
    const said = await refusal({
      config: { plugins: ['./typo.mjs', './outer.mjs'] },
      files: {
        'typo.mjs': 'export const a = 1;\n\nconst b = ;\n',
        'ran.mjs': 'process.stderr.write("it ran");',
        'outer.mjs': "import './ran.mjs';\nimport './typo.mjs';\n",
      },
    });
    expect(said).toMatch(/plugins\.0: .*typo\.mjs\) can't be imported: .*, at .*typo\.mjs:3 \(line 1/);
    expect(said).toMatch(/plugins\.1: .*outer\.mjs\) can't be imported: .*, at .*typo\.mjs:3 \(line 1/);
    expect(said).not.toContain('it ran');
  },
);

slowlyVerifiesApp(
  'config.plugins',
  'refuses a tool that breaks the contract, naming plugin, tool and fix',
  async () => {
    const tool = `{ name: 'Bad-Name', title: 't', description: 'd', input: z.object({}), output: z.object({}),
    annotations: { readOnlyHint: true, destructiveHint: true, idempotentHint: true }, budget: 'network', call() {} }`;
    const plugin = `import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
    export default { name: 'bad', options: z.object({}), tools: [${tool}], start: async () => {}, stop: async () => {} };`;
    const said = await refusal({ config: { plugins: ['./bad.mjs'] }, files: { 'bad.mjs': plugin } });
    expect(said).toMatch(/bad/);
    expect(said).toMatch(/Bad-Name/);
  },
);

verifiesApp(
  'config.plugins',
  'leaves out what is switched off, and uses the defaults of the config',
  async () => {
    const tools = { slow_wait: { enabled: false }, slow_echo: { defaults: { text: 'from the config' } } };
    await using project = await makeProject({ slowPlugin: true, config: { tools } });
    await using server = startServer(project);
    await server.session.initialize();
    const { result } = await server.session.ask('tools/list');
    const names = result.tools.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('slow_wait');
    expect((await server.session.call('slow_echo')).result.structuredContent.text).toBe('from the config');
    expect((await server.session.call('slow_wait')).error?.code).toBe(-32602);
  },
);
